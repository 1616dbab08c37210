#include "tests/openmp.h"

#include "coppice/device/product.h"
#include "coppice/device/threads.h"

#include "tests/device/random_matrix.h"

#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

// Products come from a library that has threads of its own, and settings for them that belong to the program that uses us.
namespace coppice {
namespace {

using test::OpenMp;

/// Large enough that the library would share it out among threads.
struct Large {
  Matrix<float> a = random_matrix<float>(600, 500, 1);
  Matrix<float> b = random_matrix<float>(500, 400, 2);

  Matrix<float> compute() const {
    Matrix<float> c(600, 400);
    product(Op::plain, a.view(), Op::plain, b.view(), c.view());
    return c;
  }
};

std::size_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(OpenMpOfTheHost, EveryThreadKeepsItsOwnNumber) {
  const OpenMp openmp;
  if (!openmp.there()) GTEST_SKIP() << "products of this build do without OpenMP";
  const Large large;
  const auto check = [&](int number) {
    openmp.set(number);
    large.compute();
    EXPECT_EQ(openmp.get(), number);
    ThreadPool pool(3);
    pool.parallel_for(20, [&](std::size_t) { large.compute(); });
    EXPECT_EQ(openmp.get(), number);
  };
  const int before = openmp.get();
  check(4);
  std::vector<std::thread> hosts;
  for (const int number : {1, 2, 7}) hosts.emplace_back(check, number);
  for (std::thread& host : hosts) host.join();
  EXPECT_EQ(openmp.get(), 4);
  openmp.set(before);
}

TEST(OpenMpOfTheHost, ProductsStartNoThreadsAndHaveTheSameBitsWhateverItsNumber) {
  const OpenMp openmp;
  if (!openmp.there()) GTEST_SKIP() << "products of this build do without OpenMP";
  const Large large;
  const int before = openmp.get();
  openmp.set(1);
  const Matrix<float> alone = large.compute();
  const std::size_t threads = threads_of_this_process();
  for (const int number : {2, 5}) {
    openmp.set(number);
    EXPECT_TRUE(large.compute() == alone);
    EXPECT_EQ(threads_of_this_process(), threads);
  }
  openmp.set(before);
}

}  // namespace
}  // namespace coppice
