#include "experiments/lanes.h"

#include <atomic>
#include <chrono>
#include <gmock/gmock.h>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace coppice::experiments {
namespace {

TEST(Lanes, LetNoMoreWorkThanThereAre) {
  Lanes lanes(3);
  std::atomic<int> working = 0;
  std::atomic<int> most = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 12; ++i)
      threads.emplace_back([&, i] {
        const Lanes::Lane lane(lanes, i % 2);
        const int now = ++working;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --working;
      });
  }
  EXPECT_LE(most, 3);
  EXPECT_EQ(working, 0);
}

TEST(Lanes, TheLowestRankOfThoseThatWaitComesFirst) {
  Lanes lanes(1);
  std::mutex mutex;
  std::vector<std::size_t> order;
  auto first = std::make_unique<Lanes::Lane>(lanes, 0);
  std::vector<std::jthread> threads;
  for (const std::size_t rank : {3, 1, 2})
    threads.emplace_back([&, rank] {
      const Lanes::Lane lane(lanes, rank);
      const std::scoped_lock lock(mutex);
      order.push_back(rank);
    });
  while (lanes.waiting() < 3) std::this_thread::yield();
  first.reset();
  threads.clear();
  EXPECT_THAT(order, ::testing::ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace coppice::experiments
