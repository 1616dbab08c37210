#include "coppice/core/memory.h"

#include <cmath>
#include <fstream>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

std::size_t resident_bytes() {
  std::size_t total = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(Memory, IsGivenBackThoughABlockBehindItIsUsed) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
  GTEST_SKIP() << "blocks lie as another C library puts them";
#endif
  constexpr std::size_t block = 40'000;  // too small for the system to have it back at once
  constexpr std::size_t count = 2'000;
  std::vector<std::unique_ptr<std::vector<char>>> blocks;
  for (std::size_t i = 0; i < count; ++i) blocks.push_back(std::make_unique<std::vector<char>>(block, 'x'));
  blocks.erase(blocks.begin(), blocks.end() - 1);
  const std::size_t before = resident_bytes();
  return_free_memory();
  EXPECT_LT(resident_bytes() + block * count / 2, before);
}

TEST(Memory, UsableIsNoMoreThanTheSystemAllows) {
  const double all = usable_memory();
  EXPECT_GT(all, 1e8);
  EXPECT_LE(all,
            static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlimit less = before;
  less.rlim_cur = static_cast<rlim_t>(all / 2);
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
  const double halved = usable_memory();
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(halved, std::floor(all / 2));
}

}  // namespace
}  // namespace coppice
