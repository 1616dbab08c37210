#include "coppice/report/thin.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice::test {
namespace {

Curve curve_of(const std::vector<double>& values) {
  Curve curve;
  for (std::size_t i = 0; i < values.size(); ++i) curve.add(static_cast<double>(i), values[i]);
  return curve;
}

TEST(Thin, ShortCurvesStayAsTheyAre) {
  const Curve curve = curve_of({3, 1, 2});
  EXPECT_EQ(thinned(curve, 10).y, curve.y);
  EXPECT_TRUE(thinned(Curve(), 10).x.empty());
}

TEST(Thin, ASinglePeakStays) {
  std::vector<double> values(1000, 1.0);
  values[617] = 5;
  values[300] = -2;
  const Curve curve = thinned(curve_of(values), 40);
  EXPECT_LE(curve.x.size(), 40U);
  EXPECT_NE(std::ranges::find(curve.x, 617), curve.x.end());
  EXPECT_NE(std::ranges::find(curve.x, 300), curve.x.end());
}

TEST(Thin, AStepStaysWhereItIs) {
  std::vector<double> values(1000, 0.0);
  std::fill(values.begin() + 500, values.end(), 1.0);
  const Curve curve = thinned(curve_of(values), 50);
  for (std::size_t i = 0; i < curve.x.size(); ++i) EXPECT_EQ(curve.y[i], curve.x[i] < 500 ? 0 : 1);
  const auto step = std::ranges::find(curve.y, 1.0) - curve.y.begin();
  EXPECT_LT(curve.x[step] - curve.x[step - 1], 25);
}

TEST(Thin, AnyCurveKeepsItsEndsExtremesAndOrder) {
  const bool holds = rc::check([] {
    const auto integers = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000));
    RC_PRE(!integers.empty());
    const auto most = *rc::gen::inRange<std::size_t>(0, 40);
    const Curve whole = curve_of({integers.begin(), integers.end()});
    const Curve thin = thinned(whole, most);
    RC_ASSERT(thin.x.size() <= std::max<std::size_t>(most, 4));
    RC_ASSERT(thin.x.front() == 0 && thin.x.back() == whole.x.back());
    RC_ASSERT(std::ranges::max(thin.y) == std::ranges::max(whole.y));
    RC_ASSERT(std::ranges::min(thin.y) == std::ranges::min(whole.y));
    RC_ASSERT(std::ranges::is_sorted(thin.x));
    for (std::size_t i = 0; i < thin.x.size(); ++i) {
      RC_ASSERT(thin.y[i] == whole.y[static_cast<std::size_t>(thin.x[i])]);
    }
  });
  EXPECT_TRUE(holds);
}

TEST(Thin, CurvesThinnedAlikeKeepTheSamePoints) {
  std::vector<double> flat(1000, 1.0);
  std::vector<double> other = flat;
  flat[617] = 5;
  other[300] = -2;
  const std::vector<Curve> thin = thinned_alike({curve_of(flat), curve_of(other)}, 40);
  ASSERT_EQ(thin.size(), 2U);
  EXPECT_EQ(thin[0].x, thin[1].x);
  EXPECT_LE(thin[0].x.size(), 40U);
  for (const double peak : {0.0, 300.0, 617.0, 999.0})
    EXPECT_NE(std::ranges::find(thin[0].x, peak), thin[0].x.end()) << peak;
  EXPECT_TRUE(thinned_alike({}, 40).empty());
}

TEST(Thin, IndicesAreSpreadEvenly) {
  EXPECT_EQ(spread_indices(3, 5), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(spread_indices(10, 5), (std::vector<std::size_t>{0, 2, 4, 6, 8}));
  EXPECT_TRUE(spread_indices(0, 5).empty());
}

}  // namespace
}  // namespace coppice::test
