#include "coppice/data/growing_table.h"

#include "coppice/data/table_checksum.h"

#include "tests/support.h"

#include <array>
#include <cstdint>
#include <gmock/gmock.h>
#include <vector>

namespace coppice {
namespace {

using coppice::test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Flags = std::vector<bool>;

/// Cells [first, first + count) of columns of every kind.
struct Batch {
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> texts;
  std::vector<std::int32_t> codes;
  Flags missing;

  Batch(std::size_t first, std::size_t count) {
    static constexpr std::array<std::string_view, 3> words{"red", "", "blue"};
    for (std::size_t i = first; i < first + count; ++i) {
      floats.push_back(static_cast<float>(i) / 4);
      doubles.push_back(0.1 * static_cast<double>(i % 700));
      integers.push_back(1'700'000'000'000 + static_cast<std::int64_t>(i));
      texts.push_back(words[i % 3]);
      codes.push_back(static_cast<std::int32_t>(i % 2));
      missing.push_back(i % 5 == 4);
    }
  }
};

const std::vector<std::string> categories{"low", "high"};

TEST(GrowingTable, BecomesWhatItsColumnsWouldHaveBecomeAtOnce) {
  for (const double memory : {0.0, 1e4}) {
    const Batch all(0, 3000);
    Table whole;
    whole.add_numbers("f", all.floats, all.missing);
    whole.add_numbers("d", all.doubles, all.missing);
    whole.add_numbers("i", all.integers, all.missing);
    whole.add_texts("t", all.texts);
    whole.add_codes("c", all.codes, categories);
    GrowingTable growing(memory);
    for (const auto& [first, count] : {std::pair{0, 1}, {1, 1499}, {1500, 0}, {1500, 1500}}) {
      const Batch some(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
      growing.add("f", some.floats, some.missing);
      growing.add("d", some.doubles, some.missing);
      growing.add("i", some.integers, some.missing);
      growing.add("t", some.texts);
      growing.add("c", some.codes, categories);
    }
    const Table table = growing.finish();
    EXPECT_EQ(table.names(), whole.names());
    EXPECT_EQ(table.rows(), 3000U);
    EXPECT_EQ(table_checksum(table), table_checksum(whole));
    EXPECT_EQ(table.column(0).facts.missing->at.row, 4U);
  }
}

TEST(GrowingTable, AColumnIsOfOneKindAndAllAreOfOneLength) {
  GrowingTable table(0);
  table.add("x", std::vector<float>{1, 2}, {});
  EXPECT_THAT(message_of([&] {
                table.add("x", std::vector<double>{1, 2}, {});
              }),
              AllOf(HasSubstr("column \"x\" has float32 numbers so far and cannot take float64 numbers")));
  EXPECT_THAT(message_of([&] { table.add("", std::vector<float>{1}, {}); }),
              HasSubstr("column 2 has no name"));
  table.add("y", std::vector<std::string_view>{"a"});
  EXPECT_THAT(message_of([&] { table.finish(); }), HasSubstr("column \"y\" has 1 rows, but"));
  table.add("y", std::vector<std::string_view>{"b"});
  EXPECT_EQ(table.finish().rows(), 2U);
  EXPECT_THAT(message_of([&] { table.add("x", std::vector<float>{3}, {}); }), HasSubstr("it is finished"));
  EXPECT_THAT(message_of([&] { table.finish(); }), HasSubstr("it is finished"));
}

TEST(GrowingTable, WhatFailedInTheMiddleTakesNoMore) {
  GrowingTable table(0);
  EXPECT_THAT(message_of([&] {
                table.add("c", std::vector<std::int32_t>{0, 7}, categories);
              }),
              HasSubstr("7"));
  EXPECT_THAT(message_of([&] { table.add("x", std::vector<float>{1}, {}); }), HasSubstr("cells were lost"));
}

}  // namespace
}  // namespace coppice
