#include "coppice/report/svg.h"

#include "coppice/report/scale.h"

#include <cmath>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Svg, CoordinatesAreShort) {
  EXPECT_EQ(coordinate(1), "1");
  EXPECT_EQ(coordinate(1.50), "1.5");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(2.0 / 3), "0.67");
  EXPECT_EQ(coordinate(std::nan("")), "0");
}

TEST(Svg, TextFromTheUserIsEscaped) {
  Svg svg(10, 20, "<label>");
  svg.text(1, 2, "</text><script>");
  svg.circle(1, 2, 3, "dot", "\"><img>");
  const std::string text = svg.str();
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, Not(HasSubstr("<label")));
  EXPECT_THAT(text, HasSubstr("<title>&quot;&gt;&lt;img&gt;</title></circle>"));
  EXPECT_THAT(text, HasSubstr("viewBox=\"0 0 10 20\""));
}

TEST(Svg, OpacityHoldsForOneElement) {
  Svg svg(1, 1, "");
  svg.opacity(0.25);
  svg.line(0, 0, 1, 1, "a");
  svg.line(0, 0, 1, 1, "b");
  EXPECT_THAT(svg.str(), HasSubstr("class=\"a\" opacity=\"0.25\"/>"));
  EXPECT_THAT(svg.str(), HasSubstr("class=\"b\"/>"));
}

TEST(Plot, TicksAreRoundAndInside) {
  const Scale scale{.low = 0.013, .high = 0.097};
  EXPECT_THAT(scale.ticks(5),
              ::testing::ElementsAre(::testing::DoubleNear(0.02, 1e-12), ::testing::DoubleNear(0.04, 1e-12),
                                     ::testing::DoubleNear(0.06, 1e-12), ::testing::DoubleNear(0.08, 1e-12)));
  const Scale log{.low = 50, .high = 20000, .log = true};
  EXPECT_THAT(log.ticks(4), ::testing::Contains(::testing::DoubleNear(1000, 1e-9)));
}

TEST(Plot, ScalesPlaceTheirEndsAndMiddle) {
  const Scale scale{.low = 1, .high = 100, .log = true, .from = 0, .to = 10};
  EXPECT_DOUBLE_EQ(scale(1), 0);
  EXPECT_DOUBLE_EQ(scale(10), 5);
  EXPECT_DOUBLE_EQ(scale(100), 10);
  EXPECT_TRUE(std::isfinite(scale(0)));
}

TEST(Plot, AScaleIsNeverEmpty) {
  for (const std::vector<double>& values :
       std::vector<std::vector<double>>{{}, {5}, {0, 0}, {std::nan("")}, {-3, -3}}) {
    for (const bool log : {false, true}) {
      const Scale scale = fitting(values, false, log);
      EXPECT_LT(scale.low, scale.high);
      EXPECT_LT(scale.ticks(5).size(), 50U);
    }
  }
}

}  // namespace
}  // namespace coppice::test
