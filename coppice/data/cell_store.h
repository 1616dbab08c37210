#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace coppice {

class CellMemory;

/// Cells of four bytes: codes, or the bits of floats. They lie in chunks, so that growing never doubles the memory.
class CellStore {
 public:
  static constexpr std::size_t chunk_size = 4096;

  CellStore() = default;
  /// Full chunks lie where `memory` says; none: in memory.
  explicit CellStore(std::shared_ptr<CellMemory> memory) : memory_(std::move(memory)) {}

  void push(std::uint32_t cell) {
    if (at_ == end_) grow();
    *at_++ = cell;
  }
  void push(float number) { push(std::bit_cast<std::uint32_t>(number)); }
  void append(std::span<const float> numbers);
  std::uint32_t operator[](std::size_t row) const { return chunks_[row / chunk_size][row % chunk_size]; }
  std::size_t size() const {
    return chunks_.empty()
               ? 0
               : (chunks_.size() - 1) * chunk_size + static_cast<std::size_t>(at_ - chunks_.back().get());
  }
  /// The cells from `row` on that lie side by side.
  std::span<std::uint32_t> run(std::size_t row) const {
    const std::size_t in_chunk = row % chunk_size;
    return {chunks_[row / chunk_size].get() + in_chunk, std::min(size() - row, chunk_size - in_chunk)};
  }
  /// Soon most cells will be looked at: the disk begins to read those that lie in a file, up to a fair share.
  void expect() const;
  /// Frees what only further cells need.
  void close();
  const std::shared_ptr<CellMemory>& memory() const { return memory_; }

 private:
  struct Free {
    bool mapped = false;  ///< it belongs to the CellMemory
    void operator()(std::uint32_t* chunk) const {
      if (!mapped) std::default_delete<std::uint32_t[]>()(chunk);
    }
  };
  using Chunk = std::unique_ptr<std::uint32_t[], Free>;

  Chunk make_chunk(std::size_t capacity) const;
  void grow();

  std::uint32_t* at_ = nullptr;   ///< where the next cell goes
  std::uint32_t* end_ = nullptr;  ///< of the last chunk
  std::shared_ptr<CellMemory> memory_;
  std::vector<Chunk> chunks_;
};

}  // namespace coppice
