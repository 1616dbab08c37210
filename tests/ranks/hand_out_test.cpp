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

TEST(HandOut, LargeTrialsComeFirst) {
  const std::vector<Trial> trials{{.hidden = {3}}, {.hidden = {40, 5}}, {.hidden = {5, 40}}, {.hidden = {3}}};
  EXPECT_EQ(longest_first(trials, 100), (std::vector<std::size_t>{1, 2, 0, 3}));
}

TEST(HandOut, RanksWithGpusTakeTheirShareAtOnce) {
  HandOut hand_out({4, 2, 0, 1, 3}, gpu_seats_of({1, 1}, 5));
  const auto given = hand_out.give();
  EXPECT_EQ(given.at(1), (std::vector<std::size_t>{4, 0, 3}));
  EXPECT_EQ(given.at(0), (std::vector<std::size_t>{2, 1}));
  EXPECT_TRUE(hand_out.give().empty());
  for (const std::size_t net : {0U, 1U, 2U, 3U}) hand_out.ended(net);
  EXPECT_FALSE(hand_out.idle());
  hand_out.ended(4);
  EXPECT_TRUE(hand_out.idle());
}

TEST(HandOut, WhoeverEndsANetGetsTheNext) {
  HandOut hand_out({0, 1, 2}, seats_of({1, 1}, 3));
  EXPECT_EQ(hand_out.give().size(), 2U);
  EXPECT_TRUE(hand_out.give().empty());
  hand_out.ended(1);
  EXPECT_EQ(hand_out.give().at(0), (std::vector<std::size_t>{2}));
}

}  // namespace
}  // namespace coppice
