#include "coppice/exports/c_writer.h"

#include "coppice/exports/c_names.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;

RC_GTEST_PROP(CWriter, AFloatIsTheSameAgain, (float value)) {
  RC_PRE(std::isfinite(value));
  const std::string text = c_float(value);
  RC_ASSERT(text.back() == 'f');
  RC_ASSERT(text.find_first_of(".e") != std::string::npos);
  RC_ASSERT(std::strtof(text.c_str(), nullptr) == value);
}

TEST(CWriter, TextsAreAsciiWithoutSurprises) {
  EXPECT_EQ(c_string("a b"), "\"a b\"");
  EXPECT_EQ(c_string("\"\\?\n\u00e9"), "\"\\042\\134\\077\\012\\303\\251\"");
  EXPECT_EQ(c_comment("a*/b/*c\nd"), "a* /b/ *c d");
}

TEST(CWriter, CountsItsConstants) {
  CWriter out("net");
  out.code("$_x @_Y\n");
  out.line("$ {}", "$@");
  EXPECT_EQ(out.text(), "net_x NET_Y\nnet $@\n") << "what is filled in stays as it is";
  out.floats("w", std::vector<float>{1, 2.5F});
  EXPECT_EQ(out.constant_bytes(), 8U);
  out.whole_numbers<std::int8_t>("int8_t", "b", std::vector<std::int8_t>{-3, 4, 5});
  EXPECT_EQ(out.constant_bytes(), 11U);
  out.strings("s", std::vector<std::string>{"ab", ""});
  EXPECT_EQ(out.constant_bytes(), 11U + 3 + 1 + 8);
  EXPECT_THAT(out.text(), ::testing::HasSubstr("static const int8_t net_b[3] = {\n  -3, 4, 5\n};\n"));
}

TEST(CNames, AreWhatCTakes) {
  EXPECT_TRUE(is_c_name("iris_2"));
  for (const std::string name : {"", "2x", "_x", "a-b", "\u00e4"}) EXPECT_FALSE(is_c_name(name)) << name;
  EXPECT_EQ(c_name("petal width (cm)"), "petal_width_cm");
  EXPECT_EQ(c_name(""), "_");
  EXPECT_EQ(c_name("\u00e4\u00f6"), "_");
}

TEST(CNames, ConstantsAreAllDifferent) {
  const std::vector<std::string> texts{"a b", "a-b", "A_B", "cells", "c"};
  EXPECT_THAT(c_constants("net", texts, std::vector<std::string>{"NET_CELLS"}),
              ElementsAre("NET_A_B", "NET_A_B_2", "NET_A_B_3", "NET_CELLS_2", "NET_C"));
}

}  // namespace
}  // namespace coppice
