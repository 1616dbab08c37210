#include "coppice/core/text.h"

#include "coppice/core/missing_spellings.h"

#include <clocale>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

TEST(ParseNumber, TakesUsualSpellings) {
  EXPECT_EQ(parse_number("12"), 12.0);
  EXPECT_EQ(parse_number("+1.5"), 1.5);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("1.e3"), 1000.0);
  EXPECT_EQ(parse_number("2E-2"), 0.02);
  EXPECT_EQ(parse_number("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(parse_number("nan").value()));
}

TEST(RoundedTo, KeepsSoManyDigitsInEveryLocale) {
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string own(before != nullptr ? before : "C");
  for (const char* locale : {"C", "de_DE.UTF-8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, locale) == nullptr) continue;  // not installed
    EXPECT_EQ(rounded_to(3.14159265, 5), 3.1416) << locale;
    EXPECT_EQ(rounded_to(-123456.7, 3), -123000) << locale;
    EXPECT_EQ(rounded_to(0, 3), 0) << locale;
  }
  std::setlocale(LC_ALL, own.c_str());
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const char* text : {"", "+", "-", "++1", "+-1", "--1", "1,5", "1 ", " 1", "1e", "e5", "0x10", "12a",
                           ".", "1e400x", "1e-400.5"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

TEST(ParseNumber, TooSmallIsZeroAndTooLargeInfiniteWithTheirSigns) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::string zeros(400, '0');
  const std::vector<std::string> tiny_ones{
      "1e-400",      "0." + zeros + "1",           "0.001E-398",
      "12345e-0400", "1e-99999999999999999999999", "0." + zeros + "1e50"};
  for (const std::string& tiny : tiny_ones) {
    EXPECT_EQ(parse_number(tiny), 0.0) << tiny;
    EXPECT_FALSE(std::signbit(parse_number(tiny).value())) << tiny;
    EXPECT_TRUE(std::signbit(parse_number("-" + tiny).value())) << tiny;
  }
  const std::vector<std::string> huge_ones{
      "1e400", "1" + zeros, "1" + zeros + ".5e-5", "0.001e+500", "1e99999999999999999999999", "1E+400"};
  for (const std::string& huge : huge_ones) {
    EXPECT_EQ(parse_number(huge), infinite) << huge;
    EXPECT_EQ(parse_number("+" + huge), infinite) << huge;
    EXPECT_EQ(parse_number("-" + huge), -infinite) << huge;
  }
}

TEST(ParseNumber, LongSpellingsOfOrdinaryNumbersAreInRange) {
  const std::string zeros(400, '0');
  EXPECT_EQ(parse_number("1" + zeros + "e-400"), 1.0);
  EXPECT_EQ(parse_number("0." + zeros + "1e401"), 1.0);
  EXPECT_EQ(parse_number("0e999999"), 0.0);
  EXPECT_EQ(parse_number("1e-310"), 1e-310);
}

RC_GTEST_PROP(ParseNumber, ReadsBackWhatWasPrinted, (double value)) {
  RC_PRE(std::isfinite(value));
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  RC_ASSERT(parse_number(text) == value);
}

TEST(Text, TrimTakesBlanksOffBothEnds) {
  EXPECT_EQ(trim(" \ta b\r\n"), "a b");
  EXPECT_EQ(trim(" \t "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Text, MissingMarkersOfAnyCase) {
  for (const char* text : {"", "  ", "NA", "na", "N/A", "NaN", "nan", "null", "NULL", "?", " ? "}) {
    EXPECT_TRUE(is_missing(text)) << text;
  }
  for (const char* text : {"0", "none", "-", "naan", "nulls", "??"}) EXPECT_FALSE(is_missing(text)) << text;
}

TEST(Text, AllSpellingsOfMissingAreListedOnce) {
  const std::vector<std::string> spellings = missing_spellings();
  for (const std::string& text : spellings) EXPECT_TRUE(is_missing(text)) << text;
  EXPECT_EQ(std::set(spellings.begin(), spellings.end()).size(), 2U + 4 + 4 + 8 + 16);
  EXPECT_EQ(spellings.size(), 2U + 4 + 4 + 8 + 16);
}

TEST(Text, NearestFindsSlipsAndNotStrangers) {
  const std::vector<std::string> names{"age", "species", "petal_width"};
  EXPECT_EQ(nearest("specis", names), "species");
  EXPECT_EQ(nearest("Petal_Width", names), "petal_width");
  EXPECT_FALSE(nearest("temperature_outside", names).has_value());
  EXPECT_FALSE(nearest("age", {}).has_value());
}

TEST(Text, ListsAreCutWithACount) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(listed(names), "a, b, c");
  EXPECT_EQ(listed(names, 2), "a, b and 1 more");
  EXPECT_EQ(listed({}), "");
}

TEST(Text, QuotedShowsControlCharactersAndCutsBetweenCharacters) {
  EXPECT_EQ(cited("a\tb\nc\x01"), "\"a\\tb\\nc\\x01\"");
  EXPECT_EQ(cited(std::string(50, 'x')), "\"" + std::string(40, 'x') + "...\"");
  const std::string umlauts = std::string(39, 'x') + "\xC3\xA4\xC3\xA4";
  EXPECT_EQ(cited(umlauts), "\"" + std::string(39, 'x') + "\xC3\xA4...\"");
}

TEST(Utf8, WellFormedTextIsTold) {
  for (const char* text : {"", "plain", "gr\u00fcn", "\u20ac", "\U0001F333", "\uD7FF\uE000", "\U0010FFFF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
    EXPECT_EQ(to_utf8(text), text);
  }
  for (const char* text : {"\xFC", "gr\xFCn", "\xC3", "\xE2\x82", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xC3\x28", "\xFF"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
    EXPECT_TRUE(is_utf8(to_utf8(text))) << text;
  }
}

TEST(Utf8, OtherBytesAreLatin1) {
  EXPECT_EQ(to_utf8("gr\xFCn"), "gr\u00fcn");
  EXPECT_EQ(to_utf8("\x80\xBF\xC0\xFF"), "\u0080\u00bf\u00c0\u00ff");
}

TEST(Text, SizesAreJoined) {
  EXPECT_EQ(size_text(std::vector<std::size_t>{186, 43}), "186-43");
  EXPECT_EQ(size_text(std::vector<std::size_t>{7}), "7");
  EXPECT_EQ(size_text({}), "");
}

TEST(Text, SharesKeepDigitsThatSaySomething) {
  EXPECT_EQ(share_text(0.0136), "1.36 %");
  EXPECT_EQ(share_text(1), "100.00 %");
  EXPECT_EQ(share_text(0), "0.00 %");
  EXPECT_EQ(share_text(0.0000123), "0.0012 %");
  EXPECT_EQ(share_text(INFINITY), "-");
}

TEST(Text, DurationsAreAsLongAsTheyNeedToBe) {
  EXPECT_EQ(duration_text(0.44), "0.4 s");
  EXPECT_EQ(duration_text(12.4), "12 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(3725), "1 h 02 min");
  EXPECT_EQ(duration_text(NAN), "-");
}

}  // namespace
}  // namespace coppice
