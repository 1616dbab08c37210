#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace coppice {

/// Whole pages of memory of the system's own: a disk reads into them past the system's memory, and they leave the process at once.
class Pages {
 public:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t huge =
      std::size_t{2} << 20U;  ///< where the system has them: disks are three times as fast with them
  static std::size_t whole(std::size_t bytes) { return (bytes + page - 1) / page * page; }

  Pages() = default;
  explicit Pages(std::size_t bytes);
  ~Pages();
  Pages(Pages&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::byte* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }
  std::span<std::byte> first(std::size_t bytes) const { return bytes_.first(bytes); }

 private:
  std::span<std::byte> bytes_;
};

}  // namespace coppice
