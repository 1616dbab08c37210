#pragma once

#include "coppice/core/file.h"

#include <algorithm>
#include <string_view>

namespace coppice::fuzz {

/// Bytes in memory.
class Bytes final : public ByteStream {
 public:
  explicit Bytes(std::string_view bytes) : left_(bytes) {}

  std::size_t read(char* buffer, std::size_t size) override {
    const std::size_t count = std::min(size, left_.size());
    std::copy_n(left_.data(), count, buffer);
    left_.remove_prefix(count);
    return count;
  }
  bool ended() const { return left_.empty(); }

 private:
  std::string_view left_;
};

}  // namespace coppice::fuzz
