#include "coppice/report/html.h"

#include <cmath>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice::test {
namespace {

TEST(Html, EscapesWhatMeansSomethingInHtml) {
  EXPECT_EQ(escaped("<b a=\"1\" c='2'>&</b>"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;");
  EXPECT_EQ(escaped("größe → 1"), "größe → 1");
  EXPECT_EQ(escaped("caf\xe9"), "café") << "Latin-1 becomes UTF-8";
  EXPECT_EQ(escaped(std::string("a\0b\x1b", 4)), "a b ");
}

TEST(Html, JsonInAScriptCannotEndTheScript) {
  const Json json{{"</script><script>alert(1)", "<!--"}, {"b", "a&b\u2028"}};
  const std::string text = script_json(json);
  EXPECT_THAT(text, ::testing::Not(::testing::ContainsRegex("[<>&]")));
  EXPECT_EQ(text.find("\u2028"), std::string::npos);
  EXPECT_EQ(Json::parse(text), json) << "the same JSON";
}

TEST(Html, JsonWithBrokenUtf8IsStillWritten) {
  EXPECT_NO_THROW(Json::parse(script_json(Json{{"a", "caf\xe9"}})));
}

TEST(Html, NumbersAsPeopleWriteThem) {
  EXPECT_EQ(count_text(7.0), "7");
  EXPECT_EQ(count_text(std::size_t{133090}), "133,090");
  EXPECT_EQ(count_text(-1234567.0), "-1,234,567");
  EXPECT_EQ(count_text(std::nan("")), "-");
  EXPECT_EQ(share_text(0.0136), "1.36 %");
  EXPECT_EQ(share_text(0), "0.00 %");
  EXPECT_EQ(share_text(0.0000123), "0.0012 %");
  EXPECT_EQ(share_text(INFINITY), "-");
  EXPECT_EQ(number_text(0.012345), "0.01235");
  EXPECT_EQ(number_text(25300.4), "25,300");
  EXPECT_EQ(bytes_text(512), "512 bytes");
  EXPECT_EQ(bytes_text(47312), "47.3 kB");
}

TEST(Html, NumbersForChartsAreShort) {
  EXPECT_EQ(rounded_json(0.123456).dump(), "0.1235");
  EXPECT_EQ(rounded_json(3).dump(), "3");
  EXPECT_TRUE(rounded_json(std::nan("")).is_null());
}

}  // namespace
}  // namespace coppice::test
