#include "coppice/data/row_splits.h"

#include "coppice/core/error.h"

#include "tests/support.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <numeric>
#include <set>

namespace coppice {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Numbers = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

Numbers first_rows(std::size_t count) {
  Numbers rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

Table with_texts(const Texts& texts) {
  Table table;
  table.add_texts("c", texts);
  return table;
}

Numbers sorted(Numbers rows) {
  std::ranges::sort(rows);
  return rows;
}

TEST(RowSplits, ReadGroupsTimesAndFolds) {
  Table table;
  table.add_codes("who", std::vector<std::int32_t>{2, 0, 2, 1}, {"a", "b", "c"});
  table.add_texts("when", Texts{"2024-05-01", "2023-12-31T12:00", "2024-01-01T00:00+02:00", "1969-12-31"});
  table.add_texts("part", Texts{"10", "2", "10.0", "2"});
  table.add_texts("side", Texts{"train", "train", "later", "check"});
  const RowSplits both = read_splits(table, {.group = "who", .fold = "part"}, "y");
  EXPECT_THAT(both.groups, ElementsAre(0, 1, 0, 2)) << "by their first rows, whatever the codes";
  EXPECT_THAT(both.folds, ElementsAre(1, 0, 1, 0)) << "numbers by value";
  EXPECT_THAT(read_splits(table, {.fold = "side"}, "y").folds, ElementsAre(0, 0, 1, 2));
  const RowSplits time = read_splits(table, {.time = "when"}, "y");
  EXPECT_THAT(time.times, ElementsAre(19844, 19722.5, 19723 - 2.0 / 24, -1));
  EXPECT_TRUE(time.by_column());
  EXPECT_FALSE(read_splits(table, {}, "y").by_column());
  EXPECT_THAT((SplitColumns{.group = "a", .fold = "b"}.names()), ElementsAre("a", "b"));
}

TEST(RowSplits, TimesMayBeNumbersWithAllTheirDigits) {
  EXPECT_THAT(read_splits(with_texts({"1700000001", "1700000000", "-3.5"}), {.time = "c"}, "y").times,
              ElementsAre(1700000001.0, 1700000000.0, -3.5))
      << "more than float32 holds";
  Table numbers;
  numbers.add_numbers("c", std::vector<float>{3, 1, 2});
  EXPECT_THAT(read_splits(numbers, {.time = "c"}, "y").times, ElementsAre(3, 1, 2));
  EXPECT_THAT(read_splits(with_texts({"12:30", "06:00"}), {.time = "c"}, "y").times,
              ElementsAre(12.5 / 24, 0.25));
}

TEST(RowSplits, WrongColumnsAreRefusedInASentence) {
  const auto refusal = [](const Texts& texts, const SplitColumns& columns) {
    return message_of([&] { read_splits(with_texts(texts), columns, "y"); });
  };
  for (const auto& [setting, columns] : {std::pair<std::string, SplitColumns>{"group", {.group = "cc"}},
                                         {"time", {.time = "cc"}},
                                         {"fold", {.fold = "cc"}}}) {
    EXPECT_THAT(
        refusal({"a", "b"}, columns),
        HasSubstr("`" + setting + "` names the column \"cc\", which is not there (did you mean \"c\"?)"));
  }
  for (const SplitColumns& columns : {SplitColumns{.group = "c"}, {.time = "c"}, {.fold = "c"}}) {
    EXPECT_THAT(refusal({"1", "", "3"}, columns), HasSubstr("row 2, column 1 (\"c\"): the value is missing"));
    EXPECT_THAT(message_of([&] { read_splits(with_texts({"1"}), columns, "c"); }),
                HasSubstr("names the target"));
  }
  EXPECT_THAT(refusal({"2024-05-01", "May"}, {.time = "c"}),
              HasSubstr("row 2, column 1 (\"c\"): \"May\" is no time"));
  EXPECT_THAT(refusal({"2024-05-01", "7"}, {.time = "c"}), HasSubstr("\"7\" is another kind of time"));
  EXPECT_THAT(refusal({"2024-05-01", "12:30"}, {.time = "c"}),
              HasSubstr("\"12:30\" is another kind of time"));
  Table parted;
  parted.add_texts("who", Texts{"ann", "bob", "ann"});
  parted.add_texts("part", Texts{"1", "1", "2"});
  EXPECT_THAT(message_of([&] { read_splits(parted, {.group = "who", .fold = "part"}, "y"); }),
              HasSubstr("the group \"ann\" has rows in the folds \"1\" and \"2\""));
}

TEST(RowSplits, TheLastRowsAreHeldOutAndNoTimeIsOnBothSides) {
  RowSplits splits;
  splits.columns.time = "when";
  for (std::size_t i = 0; i < 100; ++i) splits.times.push_back(static_cast<double>((i * 37) % 100));
  const Split split = splits.hold_out(first_rows(100), {}, 0.2, 1, 0);
  ASSERT_EQ(split.held_out.size(), 20U);
  for (const std::uint32_t row : split.held_out) EXPECT_GE(splits.times[row], 80);
  for (const std::uint32_t row : split.kept) EXPECT_LT(splits.times[row], 80);
  EXPECT_EQ(sorted(splits.hold_out(first_rows(100), {}, 0.2, 2, 1).held_out), sorted(split.held_out))
      << "whatever the seed";
  for (const auto& part : {split.kept, split.held_out})
    EXPECT_FALSE(std::ranges::is_sorted(part, {}, [&](auto row) { return splits.times[row]; }));

  // Three years of thirty rows and one of ten: the cut lies between two of them.
  for (std::size_t i = 0; i < 100; ++i) {
    const std::size_t year = i / 30;
    splits.times[i] = static_cast<double>(year);
  }
  EXPECT_EQ(splits.hold_out(first_rows(100), {}, 0.2, 1, 0).held_out.size(), 10U);
  EXPECT_EQ(splits.hold_out(first_rows(100), {}, 0.3, 1, 0).held_out.size(), 40U);
  EXPECT_EQ(splits.hold_out(first_rows(100), {}, 0.001, 1, 0).held_out.size(), 10U);
  EXPECT_EQ(splits.hold_out(first_rows(100), {}, 0.999, 1, 0).kept.size(), 30U);
  std::ranges::fill(splits.times, 7);
  EXPECT_THAT(message_of([&] { splits.hold_out(first_rows(100), {}, 0.2, 1, 0); }),
              HasSubstr("`time`: the column \"when\" says the same in all 100 rows"));
}

TEST(RowSplits, NumbersAreAlikeInBothParts) {
  RowSplits splits;
  for (std::size_t i = 0; i < 600; ++i) splits.numbers.push_back(static_cast<float>((i * 7919) % 600));
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Split split = splits.hold_out(first_rows(600), {}, 1.0 / 6, seed, 1);
    ASSERT_EQ(split.held_out.size(), 100U);
    std::vector<float> held;
    for (const std::uint32_t row : split.held_out) held.push_back(splits.numbers[row]);
    std::ranges::sort(held);
    for (std::size_t i = 0; i < held.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(held[i]) / 6, i);
  }
  EXPECT_NE(splits.hold_out(first_rows(600), {}, 0.1, 1, 1).held_out,
            splits.hold_out(first_rows(600), {}, 0.1, 2, 1).held_out);
  EXPECT_THAT(splits.number_strata(Numbers{0, 1, 2, 3}, 2).size(), 600U);
  EXPECT_THROW(splits.hold_out(first_rows(1), {}, 0.5, 1, 0), Error);
}

TEST(RowSplits, GroupsStayTogetherAndOneIsNotEnough) {
  RowSplits splits;
  splits.columns.group = "who";
  for (std::uint32_t i = 0; i < 120; ++i) {
    splits.groups.push_back(i / 4);
    splits.numbers.push_back(static_cast<float>(i % 4));
  }
  const Split split = splits.hold_out(first_rows(120), {}, 0.2, 1, 0);
  EXPECT_EQ(split.held_out.size(), 24U);
  std::set<std::uint32_t> kept;
  for (const std::uint32_t row : split.kept) kept.insert(row / 4);
  for (const std::uint32_t row : split.held_out) EXPECT_FALSE(kept.contains(row / 4));
  EXPECT_THAT(message_of([&] { splits.hold_out(first_rows(4), {}, 0.2, 1, 0); }),
              HasSubstr("`group`: the column \"who\" names one group in all 4 rows"));
}

TEST(RowSplits, FoldsTakeTurns) {
  RowSplits splits;
  splits.columns.fold = "part";
  for (std::uint32_t i = 0; i < 30; ++i) splits.folds.push_back(i % 3);
  for (std::uint64_t turn = 0; turn < 5; ++turn) {
    const Split split = splits.hold_out_fold(first_rows(30), turn, 1, 1);
    EXPECT_EQ(split.held_out.size(), 10U);
    for (const std::uint32_t row : split.held_out) EXPECT_EQ(row % 3, turn % 3);
    for (const std::uint32_t row : split.kept) EXPECT_NE(row % 3, turn % 3);
  }
  const Numbers rest{1, 2, 4, 5};  // test rows took a whole fold
  EXPECT_EQ(sorted(splits.hold_out_fold(rest, 0, 1, 1).held_out), (Numbers{1, 4}));
  EXPECT_THAT(message_of([&] {
                splits.hold_out_fold(Numbers{0, 3}, 0, 1, 1);
              }),
              HasSubstr("`fold`: the column \"part\" names 1 fold in the 2 rows"));
}

}  // namespace
}  // namespace coppice
