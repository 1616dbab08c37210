#include "tests/data/encoding_tables.h"

#include <cmath>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(EncodingFit, MissingNumbersAreFilledWithTheMeanAndMarked) {
  const Trained t({{{"age", {"1", "", "3", "2"}}, {"y", {"a", "b", "a", "b"}}}});
  ASSERT_EQ(t.encoding.columns.size(), 1U);
  EXPECT_EQ(t.encoding.columns[0].fill, 2.0F);
  EXPECT_EQ(t.encoding.columns[0].width(), 2U);
  EXPECT_EQ(t.encoding.input_names()[0], "age");
  EXPECT_EQ(t.encoding.input_names()[1], "age missing");
  EXPECT_FLOAT_EQ(t.data.inputs(1, 0), 0.0F);
  EXPECT_FLOAT_EQ(t.data.inputs(1, 1), 0.75F);
  EXPECT_FLOAT_EQ(t.data.inputs(0, 1), -0.25F);
}

TEST(EncodingFit, OnlyTheGivenRowsAreLearnedFrom) {
  const Trained t({{{"x", {"1", "3", "100", ""}}, {"c", {"r", "g", "b", "b"}}, {"y", {"p", "q", "p", "z"}}}},
                  {}, {0, 1});
  EXPECT_EQ(t.encoding.columns[0].fill, 2.0F);
  EXPECT_FALSE(t.encoding.columns[0].indicator);
  EXPECT_THAT(t.encoding.columns[1].categories, ElementsAre("g", "r"));
  EXPECT_THAT(t.encoding.target.classes, ElementsAre("p", "q"));
  EXPECT_THAT(t.data.labels, ElementsAre(0U, 1U, 0U, 2U));
}

TEST(EncodingFit, ConstantColumnsAreLeftOutWithOneWarning) {
  const Trained t({{{"k", {"5", "5", "5", "5"}},
                    {"x", {"1", "2", "3", "4"}},
                    {"c", {"red", "red", "red", "red"}},
                    {"y", {"a", "b", "a", "b"}}}});
  ASSERT_EQ(t.encoding.columns.size(), 1U);
  EXPECT_EQ(t.encoding.columns[0].name, "x");
  EXPECT_THAT(t.warnings,
              ElementsAre(AllOf(HasSubstr("data.csv"), HasSubstr("do not vary"), HasSubstr(": k, c"))));
}

TEST(EncodingFit, AConstantWithMissingCellsKeepsItsIndicator) {
  const Trained t({{{"k", {"5", "", "5", "5"}}, {"x", {"1", "2", "3", "4"}}, {"y", {"a", "b", "a", "b"}}}});
  EXPECT_THAT(t.warnings, IsEmpty());
  ASSERT_EQ(t.encoding.columns.size(), 2U);
  EXPECT_EQ(t.encoding.factor[0], 0.0F);
  EXPECT_EQ(t.encoding.factor[1], 1.0F);
}

TEST(EncodingFit, NothingThatVariesIsAnError) {
  const Written file{{{"k", {"5", "5", "5"}}, {"y", {"a", "b", "a"}}}};
  EXPECT_THAT(message_of([&] { Trained{file}; }),
              AllOf(HasSubstr("data.csv"), HasSubstr("no input column varies")));
  EncodingOptions options;
  options.scaling = Scaling::global;
  EXPECT_THAT(message_of([&] { Trained(file, options); }), HasSubstr("no input column varies"));
}

TEST(EncodingFit, RareCategoriesShareTheOtherInputInLargeTables) {
  const auto value = [](std::size_t i) { return i == 0 ? "rare" : i % 2 == 0 ? "b" : "a"; };
  const auto target = cells(120, [](auto i) { return i % 3 == 0 ? "p" : "q"; });
  const Trained large({{{"c", cells(120, value)}, {"y", target}}});
  EXPECT_THAT(large.encoding.columns[0].categories, ElementsAre("a", "b"));
  EXPECT_EQ(large.encoding.input_names()[1], "c=b");
  EXPECT_EQ(large.encoding.input_names()[2], "c other");
  EXPECT_GT(large.data.inputs(0, 2), 0.0F);
  const Trained small({{{"c", cells(99, value)}, {"y", Cells(target.begin(), target.begin() + 99)}}});
  EXPECT_THAT(small.encoding.columns[0].categories, ElementsAre("a", "b", "rare"));
  EXPECT_EQ(small.encoding.factor[3], 0.0F);
}

TEST(EncodingFit, AtMostTheHundredMostFrequentCategoriesAreKept) {
  // v0 is the rarest; all others tie, so the one that appears last is cut too.
  Cells column{"v0", "v0"};
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (int v = 1; v <= 101; ++v) column.push_back(fmt::format("v{}", v));
  }
  const Cells target = cells(column.size(), [](auto i) { return i % 2 == 0 ? "p" : "q"; });
  const Trained t({{{"c", column}, {"y", target}}});
  const auto& categories = t.encoding.columns[0].categories;
  EXPECT_EQ(categories.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(categories));
  EXPECT_THAT(categories, Not(::testing::Contains("v0")));
  EXPECT_THAT(categories, Not(::testing::Contains("v101")));
}

TEST(EncodingFit, MissingTextIsACategoryOfItsOwn) {
  const Trained t({{{"c", {"red", "", "blue", "red"}}, {"y", {"a", "b", "a", "b"}}}});
  EXPECT_THAT(t.encoding.columns[0].categories, ElementsAre("", "blue", "red"));
  EXPECT_GT(t.data.inputs(1, 0), 0.0F);
}

TEST(EncodingFit, ClassesAreSortedByNumberElseAsDeclaredElseByBytes) {
  const auto classes = [](const Cells& target, const Cells& declared) {
    Written file{{{"x", cells(target.size(), [](auto i) { return std::to_string(i); })}, {"y", target}}};
    if (!declared.empty()) file.declared_values = {{"y", declared}};
    EncodingOptions options;
    options.task = Task::classification;
    return Trained(file, options).encoding.target.classes;
  };
  EXPECT_THAT(classes({"10", "9", "-1", "9"}, {}), ElementsAre("-1", "9", "10"));
  EXPECT_THAT(classes({"b", "a", "B"}, {}), ElementsAre("B", "a", "b"));
  EXPECT_THAT(classes({"mid", "low", "mid"}, {"low", "none", "mid", "high"}), ElementsAre("low", "mid"));
  EXPECT_THAT(classes({"1.0000e+00", "0", "1", "0.0"}, {}), ElementsAre("0", "1"));
  EXPECT_THAT(classes({"+1", "-1", "007"}, {}), ElementsAre("-1", "+1", "007"));
}

TEST(EncodingFit, ASingleClassOrValueInTheTrainingRowsIsAnError) {
  const Written classes{{{"x", {"1", "2", "3"}}, {"y", {"a", "a", "b"}}}};
  EXPECT_THAT(message_of([&] {
                Trained(classes, {}, {0, 1});
              }),
              AllOf(HasSubstr("single class"), HasSubstr("\"a\"")));
  const Written values{{{"x", {"1", "2", "3"}}, {"y", {"1.5", "1.5", "2.25"}}}};
  EncodingOptions options;
  options.task = Task::regression;
  EXPECT_THAT(message_of([&] { Trained(values, options, {0, 1}); }), HasSubstr("same value"));
}

TEST(EncodingFit, RegressionTargetsAreStandardised) {
  const Trained t({{{"x", {"1", "2", "3", "4"}}, {"y", {"1.5", "2.5", "3.5", "4.5"}}}});
  EXPECT_DOUBLE_EQ(t.encoding.target.mean, 3.0);
  EXPECT_DOUBLE_EQ(t.encoding.target.deviation, std::sqrt(1.25));
  ASSERT_EQ(t.data.targets.size(), 4U);
  EXPECT_FLOAT_EQ(t.data.targets[3], static_cast<float>(1.5 / std::sqrt(1.25)));
  EXPECT_THAT(t.data.labels, IsEmpty());
}

TEST(EncodingFit, IdsAreRememberedAndNoInputs) {
  EncodingOptions options;
  options.ids = {"id"};
  const Trained t({{{"id", {"u1", "u2", "u3"}}, {"x", {"1", "2", "3"}}, {"y", {"a", "b", "a"}}}}, options);
  EXPECT_THAT(t.encoding.ids, ElementsAre("id"));
  EXPECT_EQ(t.encoding.inputs(), 1U);
}

TEST(EncodingFit, ATextThatStandsThereOnceIsKeptBelowAHundredRows) {
  for (const std::size_t rows : {99, 100}) {
    const auto text = [](std::size_t i) { return i == 7 ? "once" : i % 2 == 0 ? "even" : "odd"; };
    const Trained t(
        {{{"c", cells(rows, text)}, {"y", cells(rows, [](auto i) { return i % 3 == 0 ? "a" : "b"; })}}});
    EXPECT_EQ(t.encoding.columns[0].categories.size(), rows < 100 ? 3U : 2U) << rows;
  }
}

TEST(EncodingFit, NothingIsSaidAboutPlainNumbers) {
  const Trained t({{{"x", {"1", "2", "3", "4"}}, {"y", {"a", "b", "a", "b"}}}});
  for (const std::string& note : t.notes) EXPECT_THAT(note, Not(HasSubstr("counted from the least")));
}

}  // namespace
}  // namespace coppice
