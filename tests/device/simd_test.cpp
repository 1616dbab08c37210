#include "coppice/device/cpu/simd.h"

#include <limits>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(ExpNegative, IsWithinTwoUnitsInTheLastPlace) {
  double worst = 0;
  for (float x = -86.9F; x <= 0; x += 1e-4F) {
    const double exact = std::exp(static_cast<double>(x));
    worst = std::max(worst, std::abs(static_cast<double>(simd::exp_negative(x)) / exact - 1));
  }
  EXPECT_LT(worst, 2 * 1.2e-7);
  EXPECT_EQ(simd::exp_negative(0.0F), 1.0F);
}

TEST(ExpNegative, IsZeroFarBelowAndPassesNanOn) {
  EXPECT_EQ(simd::exp_negative(-88.0F), 0.0F);
  EXPECT_EQ(simd::exp_negative(-1e30F), 0.0F);
  EXPECT_EQ(simd::exp_negative(-std::numeric_limits<float>::infinity()), 0.0F);
  EXPECT_TRUE(std::isnan(simd::exp_negative(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace coppice
