#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// The different numbers of a column, in the order in which they came; told apart by their bits, and all missing ones are the same.
class DistinctNumbers {
 public:
  static constexpr std::size_t most = 65'535;

  /// False if there are more than `limit`: then the others have no codes.
  bool add(std::span<const float> numbers, std::size_t limit) {
    for (const float number : numbers) {
      const std::size_t slot = find(number);
      if (slots_[slot] != none) continue;
      if (numbers_.size() == limit) return false;
      slots_[slot] = static_cast<std::uint16_t>(numbers_.size());
      numbers_.push_back(number);
      if (2 * numbers_.size() > slots_.size()) grow();
    }
    return true;
  }
  /// Of a number that was added.
  std::size_t code(float number) const { return slots_[find(number)]; }
  const std::vector<float>& numbers() const { return numbers_; }

 private:
  static constexpr std::uint16_t none = most;

  static std::uint32_t bits(float number) {
    return number == number ? std::bit_cast<std::uint32_t>(number) : 0x7FC0'0000;
  }
  std::size_t find(float number) const {
    const std::uint32_t wanted = bits(number);
    std::size_t slot = (wanted * 0x9E37'79B1U >> 8U) & (slots_.size() - 1);
    while (slots_[slot] != none && bits(numbers_[slots_[slot]]) != wanted)
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), none);
    for (std::size_t code = 0; code < numbers_.size(); ++code)
      slots_[find(numbers_[code])] = static_cast<std::uint16_t>(code);
  }

  std::vector<float> numbers_;
  std::vector<std::uint16_t> slots_ = std::vector<std::uint16_t>(512, none);
};

}  // namespace coppice
