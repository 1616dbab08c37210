#include "coppice/data/sort_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace coppice {

namespace {

constexpr std::size_t few_numbers = 1000;  ///< are sorted faster by comparing
constexpr unsigned digit_bits = 11;        ///< 3 digits make 32 bits
constexpr std::size_t digits = 3;
constexpr std::uint32_t digit_mask = (1U << digit_bits) - 1;
constexpr std::uint32_t sign_bit = 0x80000000;

/// Whole numbers in the order of the numbers: negative ones with all bits turned, others with their sign turned.
std::uint32_t key_of(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}
float number_of(std::uint32_t key) {
  return std::bit_cast<float>((key & sign_bit) != 0 ? key & ~sign_bit : ~key);
}

std::uint32_t digit_of(std::uint32_t key, std::size_t digit) {
  return key >> (digit_bits * digit) & digit_mask;
}

}  // namespace

void sort_numbers(std::vector<float>& numbers) {
  if (numbers.size() < few_numbers) {
    std::ranges::sort(numbers);
    return;
  }
  std::vector<std::uint32_t> keys(numbers.size());
  std::ranges::transform(numbers, keys.begin(), key_of);
  std::array<std::array<std::size_t, digit_mask + 1>, digits> counts{};
  for (const std::uint32_t key : keys) {
    for (std::size_t digit = 0; digit < digits; ++digit) ++counts[digit][digit_of(key, digit)];
  }
  std::vector<std::uint32_t> sorted(keys.size());
  for (std::size_t digit = 0; digit < digits; ++digit) {
    std::array<std::size_t, digit_mask + 1>& places = counts[digit];
    if (places[digit_of(keys.front(), digit)] == keys.size()) continue;  // all have the same
    std::size_t before = 0;
    for (std::size_t& place : places) before += std::exchange(place, before);
    for (const std::uint32_t key : keys) sorted[places[digit_of(key, digit)]++] = key;
    keys.swap(sorted);
  }
  std::ranges::transform(keys, numbers.begin(), number_of);
}

}  // namespace coppice
