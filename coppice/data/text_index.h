#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// Distinct texts numbered in the order in which they first come. Much smaller than a map of strings, because
/// wide tables keep one per column.
class TextIndex {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t number) const {
    const std::size_t first = number == 0 ? 0 : ends_[number - 1];
    return {bytes_.data() + first, ends_[number] - first};
  }

  /// The number of a text, or `none`.
  std::uint32_t find(std::string_view text) const {
    return slots_.empty() ? none : slots_[slot_of(text)] - 1;
  }

  /// The number of a text, which is added if it is new.
  std::uint32_t add(std::string_view text) {
    if (ends_.size() * 2 >= slots_.size()) grow();
    std::uint32_t& slot = slots_[slot_of(text)];
    if (slot == 0) {
      append(text);
      slot = static_cast<std::uint32_t>(ends_.size());
    }
    return slot - 1;
  }

  /// Frees what only further texts need. The texts stay.
  void close() {
    slots_ = {};
    bytes_.shrink_to_fit();
    ends_.shrink_to_fit();
  }

 private:
  /// Up to 8 bytes as a number; different bytes of the same size give different numbers.
  static std::uint64_t word(const char* from, std::size_t size) {
    std::uint64_t bits = 0;
    if (size >= 4) {  // two halves that may overlap
      std::uint32_t low = 0;
      std::uint32_t high = 0;
      std::memcpy(&low, from, 4);
      std::memcpy(&high, from + size - 4, 4);
      return std::uint64_t{high} << 32U | low;
    }
    for (std::size_t i = 0; i < size; ++i) bits = bits << 8U | static_cast<unsigned char>(from[i]);
    return bits;
  }

  /// Nothing that is written depends on it: numbers follow the order of the texts.
  static std::size_t hash_of(std::string_view text) {
    const auto mix = [](std::uint64_t bits) {
      bits *= 0x9E3779B97F4A7C15U;
      return bits ^ bits >> 32U;
    };
    std::uint64_t hash = text.size();
    for (; text.size() > 8; text.remove_prefix(8)) hash = mix(hash ^ word(text.data(), 8));
    return mix(hash ^ word(text.data(), text.size()));
  }

  /// Where the text stands, or the free slot where it would; a slot holds number + 1, 0 is free.
  std::size_t slot_of(std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_of(text) & mask;
    while (slots_[slot] != 0 && !equal((*this)[slots_[slot] - 1], text)) slot = (slot + 1) & mask;
    return slot;
  }

  /// Most cells are short: comparing them here takes half the time of a call.
  static bool equal(std::string_view a, std::string_view b) {
    if (a.size() > 8) return a == b;
    return a.size() == b.size() && word(a.data(), a.size()) == word(b.data(), b.size());
  }

  void append(std::string_view text) {
    if (bytes_.size() + text.size() > std::numeric_limits<std::uint32_t>::max())
      throw std::length_error("the different texts of a column exceed 4 GiB");
    bytes_.append(text);
    ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }

  void grow() {
    slots_.assign(slots_.empty() ? 8 : slots_.size() * 2, 0);
    for (std::size_t i = 0; i < ends_.size(); ++i)
      slots_[slot_of((*this)[i])] = static_cast<std::uint32_t>(i + 1);
  }

  std::string bytes_;
  std::vector<std::uint32_t> ends_;   ///< of each text in the bytes
  std::vector<std::uint32_t> slots_;  ///< a hash table
};

}  // namespace coppice
