#include "cli/terminal/fitted_table.h"

#include <gtest/gtest.h>

namespace coppice::cli {
namespace {

FittedTable example() {
  return {{{"n", true, 0, [](std::size_t i) { return Styled{std::to_string(i)}; }},
           {"name", false, 2, [](std::size_t i) { return Styled{i == 7 ? "seven" : "x"}; }},
           {"last", true, 1,
            [](std::size_t) {
              return Styled{"1", Style::red};
            }}},
          {7, 100}};
}

std::string text_of(const FittedTable& table) {
  std::string text;
  for (const StyledLine& line : table.lines()) text += rendered(line, 80, false) + "|";
  return text;
}

TEST(FittedTable, AlignsItsColumns) {
  EXPECT_EQ(text_of(example()), "  n  name   last|  7  seven     1|100  x         1|");
  EXPECT_EQ(example().width(), 3U + 2 + 5 + 2 + 4);
}

TEST(FittedTable, ColumnsGiveWayInTheirOrder) {
  FittedTable table = example();
  table.narrow(16);
  EXPECT_EQ(table.width(), 16U) << "it fits";
  table.narrow(15, 3);
  EXPECT_EQ(table.width(), 16U) << "none gives way that early";
  table.narrow(15);
  EXPECT_EQ(text_of(table), "  n  last|  7     1|100     1|");
  table.narrow(1);
  EXPECT_EQ(text_of(table), "  n|  7|100|") << "the first never does";
}

TEST(FittedTable, CellsMayHaveSeveralStyles) {
  FittedTable table({}, {1});
  table.add({"h", false, 0, [](std::size_t) { return Styled{"ab"}; },
             [](std::size_t, const Styled& cell) {
               return StyledLine{{cell.text.substr(0, 1), Style::red}, {cell.text.substr(1), Style::green}};
             }});
  EXPECT_EQ(rendered(table.lines()[1], 80, true), "\x1b[31ma\x1b[0m\x1b[32mb\x1b[0m");
}

}  // namespace
}  // namespace coppice::cli
