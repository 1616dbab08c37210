#include "cli/terminal/styled.h"

#include <gtest/gtest.h>

namespace coppice::cli {
namespace {

TEST(Styled, ColoursOnlyWhereWanted) {
  const StyledLine line{{"a", Style::bold}, {"  "}, {"b", Style::red}, {"   "}};
  EXPECT_EQ(rendered(line, 10, false), "a  b");
  EXPECT_EQ(rendered(line, 10, true), "\x1b[1ma\x1b[0m  \x1b[31mb\x1b[0m");
  EXPECT_EQ(rendered({}, 10, true), "");
}

TEST(Styled, LongLinesAreCutBetweenCharacters) {
  const StyledLine line{{"grün", Style::plain}, {"blau", Style::plain}};
  EXPECT_EQ(rendered(line, 8, false), "grünblau");
  EXPECT_EQ(rendered(line, 7, false), "grünbl…");
  EXPECT_EQ(rendered(line, 4, false), "grü…");
  EXPECT_EQ(rendered(line, 1, false), "…");
  EXPECT_EQ(width_of(line), 8U);
}

TEST(Styled, NothingCommandsTheTerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb\n\x7f"), "a?[2Jb??");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "?31m")
      << "the one-character form of the escape sequence";
  EXPECT_EQ(printable("gr\xFCn"), "grün") << "Latin-1";
  EXPECT_EQ(printable("grün ✓"), "grün ✓");
  EXPECT_EQ(printable_lines("a\x1b\nb\n\nc\x07"), "a?\nb\n\nc?");
  EXPECT_EQ(rendered({{"a\x1b[2J\n", Style::red}}, 9, true), "\x1b[31ma?[2J?\x1b[0m");
}

}  // namespace
}  // namespace coppice::cli
