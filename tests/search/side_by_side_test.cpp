#include "coppice/search/side_by_side.h"

#include "coppice/device/gpu.h"

#include <atomic>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(SideBySide, EveryJobIsDoneOnceWhateverTheLanes) {
  for (const std::size_t lanes : {1, 3, 20}) {
    std::vector<std::atomic<int>> done(12);
    EXPECT_TRUE(side_by_side(done.size(), lanes, [&](std::size_t i) { return ++done[i] == 1; }));
    for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
  }
  EXPECT_TRUE(side_by_side(0, 4, [](std::size_t) { return false; }));
}

TEST(SideBySide, LanesAreAtWorkAtTheSameTime) {
  std::atomic<int> here = 0;
  EXPECT_TRUE(side_by_side(3, 3, [&](std::size_t) {
    ++here;
    while (here < 3) std::this_thread::yield();  // would wait for ever if they took turns
    return true;
  }));
}

TEST(SideBySide, AFailureEndsTheRest) {
  std::atomic<int> begun = 0;
  EXPECT_FALSE(side_by_side(100, 1, [&](std::size_t i) { return ++begun > 0 && i < 2; }));
  EXPECT_EQ(begun, 3);
  begun = 0;
  const auto broken = [&](std::size_t i) {
    ++begun;
    if (i == 1) throw std::runtime_error("broken");
    return true;
  };
  EXPECT_THROW(side_by_side(100, 1, broken), std::runtime_error);
  EXPECT_EQ(begun, 2);
  EXPECT_THROW(side_by_side(100, 4, broken), std::runtime_error);
}

TEST(SideBySide, WhatLacksTheGpusMemoryBesideOthersIsDoneAlone) {
  std::vector<std::atomic<int>> calls(6);
  std::atomic<int> ended = 0;
  int before = 0;
  EXPECT_TRUE(side_by_side(calls.size(), 2, [&](std::size_t i) {
    if (++calls[i] == 1 && i == 1) throw GpuOutOfMemory("too little");
    if (i == 1) before = ended;
    ++ended;
    return true;
  }));
  for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(calls[i], i == 1 ? 2 : 1);
  EXPECT_EQ(before, 5) << "the others have made room";
  const auto too_large = [](std::size_t i) -> bool {
    if (i == 3) throw GpuOutOfMemory("too little");
    return true;
  };
  EXPECT_THROW(side_by_side(6, 2, too_large), GpuOutOfMemory);
  EXPECT_THROW(side_by_side(6, 1, too_large), GpuOutOfMemory);
}

}  // namespace
}  // namespace coppice
