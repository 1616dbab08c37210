#include "coppice/ranks/hand_out.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(HandOut, ManyNetsGetAThreadEachAndFewGetSeveral) {
  const std::vector<std::size_t> threads{4, 4, 1};
  std::vector<Seat> seats = seats_of(threads, 30);
  EXPECT_EQ(seats[0].nets, 4U);
  EXPECT_EQ(seats[0].threads, 1U);
  EXPECT_EQ(seats[2].nets, 1U);
  seats = seats_of(threads, 6);  // two for each rank
  EXPECT_EQ(seats[1].nets, 2U);
  EXPECT_EQ(seats[1].threads, 2U);
  EXPECT_EQ(seats[2].nets, 1U);
  seats = seats_of(threads, 1);
  EXPECT_EQ(seats[0].nets, 1U);
  EXPECT_EQ(seats[0].threads, 4U);
}

TEST(HandOut, TheFreestRankIsNextAndRankZeroLast) {
  const std::vector<Seat> seats{
      {.nets = 2, .threads = 1}, {.nets = 2, .threads = 1}, {.nets = 1, .threads = 1}};
  EXPECT_EQ(freest(seats, {0, 0, 0}), 1U);
  EXPECT_EQ(freest(seats, {0, 1, 0}), 0U);
  EXPECT_EQ(freest(seats, {2, 2, 0}), 2U);
  EXPECT_EQ(freest(seats, {1, 2, 1}), 0U);
  EXPECT_EQ(freest(seats, {2, 2, 1}), 3U);
}

}  // namespace
}  // namespace coppice
