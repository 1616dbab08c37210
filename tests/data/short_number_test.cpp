// Short numbers are read the same alone and out of a line, eight characters at a time.
#include "coppice/data/short_number.h"

#include "coppice/core/random.h"

#include <charconv>
#include <string>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// What a line says whose first cell is the text, and whether that is a short number.
bool parse_in_line(const std::string& text, std::size_t behind, double& value) {
  const std::string line = text + "," + std::string(behind, '7') + "\n";
  const bool negative = text.starts_with('-');
  const char* const first = line.data() + (negative ? 1 : 0);
  const ShortDigits taken = take_short(first, LineText{line.data() + line.size()});
  value = negative ? -taken.value() : taken.value();
  return taken.valid && taken.end == line.data() + text.size();
}

void expect_same(const std::string& text) {
  double alone = 0;
  const bool is_short = parse_short(text, alone);
  for (const std::size_t behind : {0, 3, 30}) {
    double value = 0;
    ASSERT_EQ(parse_in_line(text, behind, value), is_short) << text;
    ASSERT_EQ(is_short ? value : 0, is_short ? alone : 0) << text;
  }
  if (!is_short) return;
  double exact = 0;
  std::from_chars(text.data(), text.data() + text.size(), exact);
  ASSERT_EQ(alone, exact) << text;
}

TEST(ShortNumber, IsTheSameAloneAndInALine) {
  for (const char* text : {"",
                           "-",
                           ".",
                           "-.5",
                           "1.",
                           "1.5.2",
                           "1e5",
                           "+3",
                           " 1",
                           "0",
                           "-0",
                           "-0.0",
                           "12345678",
                           "123456789",
                           "123456789012345",
                           "1234567890123456",
                           "0.12345678901234",
                           "12345678.123456",
                           "1/2",
                           "1:2",
                           "99999999.999999",
                           "0000000000000.1",
                           "a",
                           "1\x80",
                           "\xFF\xFF"})
    expect_same(text);
  Random random(1, Purpose::generator);
  const std::string letters = "0123456789012345678901234567890123456789.-:/ ";
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    for (std::size_t size = random.below(18); size > 0; --size) text += letters[random.below(letters.size())];
    expect_same(text);
  }
}

}  // namespace
}  // namespace coppice
