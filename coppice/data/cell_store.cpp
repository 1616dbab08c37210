#include "coppice/data/cell_store.h"

#include "coppice/data/cell_memory.h"

#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace coppice {

CellStore::Chunk CellStore::make_chunk(std::size_t capacity) const {
  if (memory_ && capacity == chunk_size) {
    if (std::uint32_t* mapped = memory_->chunk()) return Chunk(mapped, Free{.mapped = true});
  }
  return Chunk(std::make_unique_for_overwrite<std::uint32_t[]>(capacity).release(), Free{});
}

void CellStore::grow() {
  const std::size_t size = chunks_.empty() ? 0 : static_cast<std::size_t>(at_ - chunks_.back().get());
  if (size == 0 || size == chunk_size) {
    const std::size_t capacity = size == 0 ? 16 : chunk_size;
    chunks_.push_back(make_chunk(capacity));
    at_ = chunks_.back().get();
    end_ = at_ + capacity;
    return;
  }
  // Only the first chunk begins small: a wide table has few rows.
  Chunk larger = make_chunk(size * 2);
  at_ = std::copy_n(chunks_.back().get(), size, larger.get());
  end_ = larger.get() + size * 2;
  chunks_.back() = std::move(larger);
}

void CellStore::append(std::span<const float> numbers) {
  while (!numbers.empty()) {
    if (at_ == end_) grow();
    const std::size_t count = std::min(numbers.size(), static_cast<std::size_t>(end_ - at_));
    std::memcpy(at_, numbers.data(), count * sizeof(float));
    at_ += count;
    numbers = numbers.subspan(count);
  }
}

// Chunks of a column lie far from each other in the file. Who comes upon one that is not in memory waits for it, and for its
// neighbours of other columns, which the system reads along unasked.
void CellStore::expect() const {
  constexpr std::size_t most = 1024;
  for (const Chunk& chunk : std::span(chunks_).first(std::min(most, chunks_.size()))) {
    if (chunk.get_deleter().mapped) ::madvise(chunk.get(), chunk_size * sizeof(std::uint32_t), MADV_WILLNEED);
  }
}

void CellStore::close() {
  if (at_ == end_ || chunks_.back().get_deleter().mapped) return;
  const auto size = static_cast<std::size_t>(at_ - chunks_.back().get());
  Chunk smaller = make_chunk(size);
  at_ = end_ = std::copy_n(chunks_.back().get(), size, smaller.get());
  chunks_.back() = std::move(smaller);
}

}  // namespace coppice
