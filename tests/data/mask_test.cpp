#include "coppice/data/mask.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(Mask, TheHullOfNothingIsNothing) {
  EXPECT_EQ(convex_hull(Mask{}), Mask{});
}

TEST(Mask, AConvexRegionIsItsOwnHull) {
  Mask diamond{};
  diamond[10] = 0b00100U << 12;
  diamond[11] = 0b01110U << 12;
  diamond[12] = 0b11111U << 12;
  diamond[13] = 0b01110U << 12;
  diamond[14] = 0b00100U << 12;
  EXPECT_EQ(area(diamond), 13);
  EXPECT_EQ(convex_hull(diamond), diamond);
  Mask all;
  all.fill((1U << image_side) - 1U);
  EXPECT_EQ(convex_hull(all), all);
}

TEST(Mask, TheHullFillsNotchesHolesAndEmptyRows) {
  Mask mask{};
  mask[3] = 0b1001U;
  mask[5] = 0b1011U;
  Mask expected{};
  expected[3] = 0b1111U;
  expected[4] = 0b1111U;
  expected[5] = 0b1111U;
  EXPECT_EQ(convex_hull(mask), expected);
}

TEST(Mask, SlantedEdgesTakeOnlyPixelsWhoseCentresAreInside) {
  Mask mask{};
  mask[0] = 1U;            // (0, 0)
  mask[3] = 1U << 6U;      // (6, 3)
  mask[6] = 1U | 1U << 1;  // (0, 6) and (1, 6)
  Mask expected{};
  expected[0] = (1U << 1) - 1U;
  expected[1] = (1U << 3) - 1U;  // x <= 2
  expected[2] = (1U << 5) - 1U;  // x <= 4
  expected[3] = (1U << 7) - 1U;  // x <= 6
  expected[4] = (1U << 5) - 1U;  // x <= 13/3
  expected[5] = (1U << 3) - 1U;  // x <= 8/3
  expected[6] = (1U << 2) - 1U;
  EXPECT_EQ(convex_hull(mask), expected);
}

}  // namespace
}  // namespace coppice
