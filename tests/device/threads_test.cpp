#include "coppice/device/threads.h"

#include "coppice/device/product.h"

#include "tests/device/random_matrix.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

class Threads : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(ThreadPool, Threads, testing::Values(1U, 2U, 3U, 8U));

TEST_P(Threads, EveryIndexOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 64U, 1000U, 20000U}) {
    std::vector<std::atomic<int>> visits(count);
    pool.parallel_for(count, [&](std::size_t i) { ++visits.at(i); });
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << i << " of " << count;
  }
}

TEST_P(Threads, NestedLoopsVisitEveryCombinationOnce) {
  ThreadPool pool(GetParam());
  constexpr std::size_t outer = 9;
  constexpr std::size_t middle = 7;
  constexpr std::size_t inner = 11;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::atomic<int>> visits(outer * middle * inner);
    pool.parallel_for(outer, [&](std::size_t a) {
      pool.parallel_for(middle, [&](std::size_t b) {
        pool.parallel_for(inner, [&](std::size_t c) { ++visits.at((a * middle + b) * inner + c); });
      });
      for (std::size_t i = 0; i < middle * inner; ++i) ASSERT_EQ(visits[a * middle * inner + i], 1);
    });
    for (const std::atomic<int>& count : visits) ASSERT_EQ(count, 1);
  }
}

TEST_P(Threads, ManySmallLoops) {
  ThreadPool pool(GetParam());
  std::atomic<std::size_t> sum = 0;
  constexpr std::size_t loops = 5000;
  for (std::size_t k = 0; k < loops; ++k) pool.parallel_for(3, [&](std::size_t i) { sum += i + 1; });
  EXPECT_EQ(sum, 6 * loops);
}

TEST_P(Threads, LoopsAfterAPauseWakeTheSleepers) {
  ThreadPool pool(GetParam());
  for (int k = 0; k < 20; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::atomic<int> visits = 0;
    pool.parallel_for(8, [&](std::size_t) { ++visits; });
    ASSERT_EQ(visits, 8);
  }
}

TEST_P(Threads, AnExceptionReachesTheCallerAndThePoolLivesOn) {
  ThreadPool pool(GetParam());
  for (int round = 0; round < 50; ++round) {
    try {
      pool.parallel_for(100, [&](std::size_t i) {
        if (i % 10 == 3) throw std::runtime_error("body " + std::to_string(i));
      });
      FAIL() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 5), "body ");
    }
    std::atomic<int> visits = 0;
    pool.parallel_for(100, [&](std::size_t) { ++visits; });
    ASSERT_EQ(visits, 100);
  }
}

TEST_P(Threads, AnExceptionPassesThroughNestedLoops) {
  ThreadPool pool(GetParam());
  const auto nested = [&] {
    pool.parallel_for(4, [&](std::size_t a) {
      pool.parallel_for(4, [&](std::size_t b) {
        if (a == 2 && b == 3) throw std::out_of_range("deep");
      });
    });
  };
  for (int round = 0; round < 20; ++round) EXPECT_THROW(nested(), std::out_of_range);
}

TEST_P(Threads, SeveralOutsideThreadsShareThePool) {
  ThreadPool pool(GetParam());
  std::vector<std::atomic<int>> visits(4 * 500);
  std::vector<std::thread> callers;
  for (std::size_t c = 0; c < 4; ++c) {
    callers.emplace_back([&, c] {
      for (std::size_t k = 0; k < 50; ++k) {
        pool.parallel_for(10, [&](std::size_t i) { ++visits.at(c * 500 + k * 10 + i); });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const std::atomic<int>& count : visits) ASSERT_EQ(count, 1);
}

/// A net is a body of the outer loop, its tiles are inner loops. A thread that waits for tiles may help with
/// other tiles but must not begin another net: the first net would stand still until the second is finished.
TEST_P(Threads, ABodyIsNotSuspendedForAnotherOfTheSameLoop) {
  ThreadPool pool(GetParam());
  std::atomic<int> suspended = 0;
  for (int round = 0; round < 20; ++round) {
    pool.parallel_for(GetParam(), [&](std::size_t) {
      static thread_local bool busy = false;
      if (busy) ++suspended;
      const bool before = std::exchange(busy, true);
      for (int k = 0; k < 5; ++k) {
        pool.parallel_for(3, [](std::size_t) { std::this_thread::sleep_for(std::chrono::microseconds(50)); });
      }
      busy = before;
    });
  }
  EXPECT_EQ(suspended, 0);
}

#if !defined(COPPICE_SANITIZED)  // sanitizers need more memory than that
/// With room for a few stacks.
void limit_memory() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (100U << 20U);
  const rlimit limit{most, most};
  setrlimit(RLIMIT_AS, &limit);
}

/// A pool that gets fewer threads than it asks for does with them.
[[noreturn]] void use_a_pool_that_is_too_large() {
  limit_memory();
  ThreadPool pool(500);
  std::atomic<int> visits = 0;
  pool.parallel_for(1000, [&](std::size_t) { ++visits; });
  std::_Exit(visits == 1000 && pool.threads() > 1 && pool.threads() < 500 ? 0 : 1);
}

TEST(ThreadPool, DoesWithTheThreadsThatTheSystemGrants) {
  EXPECT_EXIT(use_a_pool_that_is_too_large(), testing::ExitedWithCode(0), "");
}
#endif

/// What could make numbers depend on the threads: a product library that shares work out by itself, packed operands that
/// a thread keeps from one product to the next, tiles that are summed in the order in which they end.
Matrix<float> sum_of_products(std::size_t threads, std::size_t count, Precision precision) {
  ThreadPool pool(threads);
  std::vector<Matrix<float>> parts(count);
  pool.parallel_for(count, [&](std::size_t i) {
    const std::size_t inner = 1 + 37 * i % 150;
    const Matrix<float> a = random_matrix<float>(40, inner, i);
    const Matrix<float> b = random_matrix<float>(inner, 70, 1000 + i);
    parts[i] = Matrix<float>(40, 70);
    pool.parallel_for(4, [&](std::size_t block) {
      product(precision, Op::plain, a.view().block(block * 10, 10), Op::plain, b.view(),
              parts[i].view().block(block * 10, 10));
    });
  });
  Matrix<float> sum(40, 70);
  for (const Matrix<float>& part : parts) {
    for (std::size_t j = 0; j < 40; ++j) {
      for (std::size_t k = 0; k < 70; ++k) sum(j, k) += part(j, k);
    }
  }
  return sum;
}

TEST(ThreadPool, ResultsDoNotDependOnTheNumberOfThreads) {
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    for (const std::size_t count : {1U, 2U, 61U}) {
      const Matrix<float> alone = sum_of_products(1, count, precision);
      for (const std::size_t threads : {2U, 3U, 8U})
        EXPECT_TRUE(sum_of_products(threads, count, precision) == alone) << threads << " threads, " << count;
    }
  }
}

}  // namespace
}  // namespace coppice
