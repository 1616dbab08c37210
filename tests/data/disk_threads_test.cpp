// Threads that wait for a disk do all that they were given.
#include "coppice/data/disk_threads.h"

#include <atomic>

#include <gtest/gtest.h>

namespace coppice::test {
namespace {

TEST(DiskThreads, DoAllBeforeTheyEnd) {
  for (const std::size_t threads : {0U, 1U, 3U}) {
    std::atomic<int> done = 0;
    {
      DiskThreads some(threads);
      for (int i = 0; i < 1'000; ++i) some.add([&] { ++done; });
    }
    EXPECT_EQ(done, 1'000) << threads << " threads";
  }
}

}  // namespace
}  // namespace coppice::test
