#pragma once

#include "coppice/core/file.h"
#include "coppice/data/table.h"

#include <algorithm>
#include <optional>
#include <string>
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

/// Reads a table in several ways, whose answers must agree. Limits are small, so that files can exceed them.
void read_tables(const std::string& name, std::string_view bytes, std::optional<Format> format);

/// Counts must be those of the cells, and every cell can be asked for.
void check_table(const Table& table);

}  // namespace coppice::fuzz
