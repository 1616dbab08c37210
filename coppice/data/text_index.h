#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coppice {

/// Distinct texts numbered in the order in which they first come. Much smaller than a map of strings, because
/// wide tables keep one per column.
class TextIndex {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  std::size_t size() const { return texts_.size(); }
  /// Hands the texts out and leaves the index empty.
  std::vector<std::string> take() {
    slots_ = {};
    return std::exchange(texts_, {});
  }

  /// The number of a text, or `none`.
  std::uint32_t find(std::string_view text) const {
    return slots_.empty() ? none : slots_[slot_of(text)] - 1;
  }

  /// The number of a text, which is added if it is new.
  std::uint32_t add(std::string_view text) {
    if (texts_.size() * 2 >= slots_.size()) grow();
    std::uint32_t& slot = slots_[slot_of(text)];
    if (slot == 0) {
      texts_.emplace_back(text);
      slot = static_cast<std::uint32_t>(texts_.size());
    }
    return slot - 1;
  }

 private:
  /// Where the text stands, or the free slot where it would; a slot holds number + 1, 0 is free.
  std::size_t slot_of(std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(text)&mask;
    while (slots_[slot] != 0 && texts_[slots_[slot] - 1] != text) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 8 : slots_.size() * 2, 0);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      slots_[slot_of(texts_[i])] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<std::string> texts_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace coppice
