#include "coppice/report/html.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice::test {
namespace {

TEST(Html, EscapesWhatMeansSomethingInHtml) {
  EXPECT_EQ(escaped("<b a=\"1\" c='2'>&</b>"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;");
  EXPECT_EQ(escaped("größe → 1"), "größe → 1");
  EXPECT_EQ(escaped("caf\xe9"), "café") << "Latin-1 becomes UTF-8";
  EXPECT_EQ(escaped(std::string("a\0b\x1b", 4)), "a b ");
}

TEST(Html, NumbersAsPeopleWriteThem) {
  EXPECT_EQ(count_text(7.0), "7");
  EXPECT_EQ(count_text(std::size_t{133090}), "133,090");
  EXPECT_EQ(count_text(-1234567.0), "-1,234,567");
  EXPECT_EQ(count_text(std::nan("")), "-");
  EXPECT_EQ(number_text(0.012345), "0.01235");
  EXPECT_EQ(number_text(25300.4), "25,300");
  EXPECT_EQ(bytes_text(512), "512 bytes");
  EXPECT_EQ(bytes_text(47312), "47.3 kB");
}

}  // namespace
}  // namespace coppice::test
