#include "coppice/data/sort_numbers.h"

#include "coppice/core/random.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace coppice {
namespace {

std::vector<float> some_numbers(std::size_t count, bool whole) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> numbers{0.0F,      1e-44F,  -1e-44F,  infinity,
                             -infinity, 3.4e38F, -3.4e38F, std::numeric_limits<float>::min()};
  Random random(count, Purpose::generator);
  while (numbers.size() < count) {
    const auto any = std::bit_cast<float>(static_cast<std::uint32_t>(random.below(0xFFFFFFFF)));
    const float number = whole ? static_cast<float>(random.below(256)) : any;
    if (number == number) numbers.push_back(number + 0.0F);
  }
  numbers.resize(count);
  return numbers;
}

TEST(SortNumbers, AsComparingSorts) {
  for (const std::size_t count : {0, 1, 2, 999, 1000, 5000}) {
    for (const bool whole : {false, true}) {
      std::vector<float> numbers = some_numbers(count, whole);
      std::vector<float> expected = numbers;
      std::ranges::sort(expected);
      sort_numbers(numbers);
      EXPECT_EQ(numbers, expected) << count << " numbers, whole " << whole;
    }
  }
}

TEST(SortNumbers, OfOneKindOfDigits) {
  std::vector<float> same(3000, 7.5F);
  sort_numbers(same);
  EXPECT_EQ(same, std::vector<float>(3000, 7.5F));
}

}  // namespace
}  // namespace coppice
