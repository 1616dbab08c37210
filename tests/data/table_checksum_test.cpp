#include "coppice/data/table_checksum.h"

#include "coppice/data/column.h"

#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using Change = std::function<void(Table&)>;

Table with(const Change& change) {
  Table table;
  table.add_numbers("a", std::vector<float>{1, 2, 3});
  change(table);
  return table;
}

/// Each of these is another table.
const std::vector<Change>& changes() {
  static const std::vector<Change> all{
      [](Table&) {},
      [](Table& t) {
        t.add_numbers("b", std::vector<float>{1, 2, 3});
      },
      [](Table& t) {
        t.add_numbers("b", std::vector<float>{1, 2, 4});
      },
      [](Table& t) {
        t.add_numbers("b", std::vector<float>{1, 3, 2});
      },
      [](Table& t) {
        t.add_numbers("c", std::vector<float>{1, 2, 3});
      },
      [](Table& t) {
        t.add_numbers("b", std::vector<float>{1, 2, 3}, std::vector<bool>{false, true, false});
      },
      [](Table& t) {
        t.add_numbers("b", std::vector<double>{1, 2, 3});
      },
      [](Table& t) {
        t.add_numbers("b", std::vector<double>{1, 2, 3.5});
      },
      [](Table& t) {
        t.add_texts("b", std::vector<std::string>{"1", "2", "3"});
      },
      [](Table& t) {
        t.add_texts("b", std::vector<std::string>{"4", "2", "3"});
      },
      [](Table& t) {
        t.add_texts("b", std::vector<std::string>{"1", "23", "3"});
      },
      [](Table& t) {
        t.add_texts("b", std::vector<std::string>{"12", "3", "3"});
      },
      [](Table& t) {
        t.add_texts("b", std::vector<std::string>{"1", "", "3"});
      },
      [](Table& t) {
        t.add_codes("b", std::vector<std::int32_t>{0, 1, 0}, {"x", "y"});
      },
      [](Table& t) {
        t.add_codes("b", std::vector<std::int32_t>{0, 1, 0}, {"x", "y", "z"});
      },
      [](Table& t) {
        t.add_codes("b", std::vector<std::int32_t>{1, 0, 1}, {"y", "x"});
      },
      [](Table& t) { t.set_image(1, 1); }};
  return all;
}

TEST(TableChecksum, TellsTablesApart) {
  std::set<std::uint32_t> sums;
  for (const Change& change : changes()) sums.insert(table_checksum(with(change)));
  EXPECT_EQ(sums.size(), changes().size());
}

TEST(TableChecksum, IsTheSameForTheSameTable) {
  for (const Change& change : changes())
    EXPECT_EQ(table_checksum(with(change)), table_checksum(with(change)));
}

TEST(TableChecksum, IsOfTheCellsWhereverTheyLie) {
  constexpr std::size_t rows = 10'000;  // more than lie side by side
  std::vector<float> matrix;
  std::vector<float> a;
  std::vector<float> b;
  for (std::size_t i = 0; i < rows; ++i) {
    a.push_back(static_cast<float>(i) / 8);
    b.push_back(i % 7 == 0 ? -std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i * i));
    matrix.insert(matrix.end(),
                  {a[i], std::isnan(b[i]) ? std::numeric_limits<float>::quiet_NaN() : b[i], -1});
  }
  Table columns;
  columns.add_numbers("a", a);
  columns.add_numbers("b", b);
  const View<const float> view{.data = matrix.data(), .rows = rows, .cols = 2, .stride = 3};
  const Table borrowed = Table::matrix(view, {"a", "b"});
  EXPECT_EQ(table_checksum(columns), table_checksum(borrowed));
  matrix[3 * (rows - 1)] += 1;  // the last row
  EXPECT_NE(table_checksum(columns), table_checksum(borrowed));
}

TEST(TableChecksum, IsOfTheNumbersNotOnlyOfTheirDistances) {
  std::set<std::uint32_t> sums;
  for (const double least : {1.7e9, 1.8e9}) {
    std::vector<double> times;
    for (int i = 0; i < 3000; ++i) times.push_back(least + i);
    Table table;
    table.add_numbers("t", times);
    EXPECT_EQ(table.column(0).base, least);
    sums.insert(table_checksum(table));
  }
  EXPECT_EQ(sums.size(), 2U);
}

TEST(TableChecksum, DoesNotAskForTheTablesName) {
  Table table = with([](Table&) {});
  const std::uint32_t sum = table_checksum(table);
  table.set_name("another");
  EXPECT_EQ(table_checksum(table), sum);
}

}  // namespace
}  // namespace coppice
