#include "coppice/core/spread.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(SpreadOf, MedianAndRange) {
  const Spread odd = spread_of({3, 1, 2});
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.low, 1);
  EXPECT_EQ(odd.high, 3);
  EXPECT_EQ(spread_of({4, 1}).median, 2.5);
  EXPECT_TRUE(std::isnan(spread_of({}).median));
}

}  // namespace
}  // namespace coppice
