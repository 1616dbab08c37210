#include "coppice/data/keep_columns.h"

#include "tests/data/encoding_tables.h"

#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Numbers with gaps, words, dates (three inputs), and a target.
Trained everything() {
  const Written file{
      {{"x", cells(60, [](std::size_t i) { return i % 7 == 0 ? "" : std::to_string(i % 9); })},
       {"word", cells(60, [](std::size_t i) { return i % 3 == 0 ? "red" : "blue"; })},
       {"when",
        cells(60, [](std::size_t i) { return fmt::format("2024-{:02}-{:02}", 1 + i % 12, 1 + i * 5 % 28); })},
       {"z", cells(60, [](std::size_t i) { return std::to_string(i * i % 11); })},
       {"y", cells(60, [](std::size_t i) { return i % 2 == 0 ? "a" : "b"; })}}};
  return Trained(file, with_target("y"));
}

TEST(KeepColumns, TheOthersCountAsUnusedAndTheirInputsAreGone) {
  const Trained t = everything();
  const Encoding kept = keep_columns(t.encoding, {"word", "z"});
  EXPECT_THAT(kept.input_names(), ElementsAre("word=blue", "word=red", "word other", "z"));
  EXPECT_EQ(kept.inputs(), 4U);
  EXPECT_THAT(kept.derived, IsEmpty());
  EXPECT_EQ(kept.target.classes, t.encoding.target.classes);
  EXPECT_THAT(kept.unused, ::testing::IsSupersetOf({"x", "when"}));
}

TEST(KeepColumns, EncodesAsBefore) {
  const Trained t = everything();
  for (const std::unordered_set<std::string>& names :
       {std::unordered_set<std::string>{"x"}, {"when"}, {"z", "x"}, {"word", "when", "z"}}) {
    const Encoding kept = keep_columns(t.encoding, names);
    std::vector<std::string> warnings;
    const Dataset data = encode(t.table, kept, true, warnings);
    const std::vector<std::uint32_t> inputs = inputs_made_of(t.encoding, names);
    const Dataset expected = keep_inputs(t.data, inputs);
    EXPECT_THAT(warnings, IsEmpty()) << "columns that were left out are no news";
    EXPECT_EQ(data.inputs.cols(), inputs.size());
    EXPECT_EQ(data.inputs, expected.inputs);
    EXPECT_EQ(data.labels, expected.labels);
  }
}

TEST(KeepColumns, ATableNeedNotHaveTheOthers) {
  const Trained t = everything();
  const Encoding kept = keep_columns(t.encoding, {"z"});
  const Written small{{{"z", cells(3, [](std::size_t i) { return std::to_string(i); })}}};
  std::vector<std::string> warnings;
  const Dataset data = encode(small.table(), kept, false, warnings);
  EXPECT_EQ(data.inputs.rows(), 3U);
  EXPECT_EQ(data.inputs.cols(), 1U);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(KeepColumns, AllOfThemChangeNothing) {
  const Trained t = everything();
  const Encoding kept = keep_columns(t.encoding, {"x", "word", "when", "z"});
  EXPECT_EQ(kept.input_names(), t.encoding.input_names());
  EXPECT_EQ(kept.unused, t.encoding.unused);
  EXPECT_EQ(kept.offset, t.encoding.offset);
  EXPECT_EQ(kept.factor, t.encoding.factor);
  EXPECT_EQ(kept.derived.size(), t.encoding.derived.size());
}

}  // namespace
}  // namespace coppice
