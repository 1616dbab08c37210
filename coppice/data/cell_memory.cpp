#include "coppice/data/cell_memory.h"

#include <algorithm>
#include <sys/mman.h>

namespace coppice {

CellMemory::~CellMemory() {
  for (const std::span<std::byte> segment : segments_) ::munmap(segment.data(), segment.size());
}

std::uint32_t* CellMemory::chunk() {
  const std::lock_guard lock(mutex_);
  if (taken_ + chunk_bytes <= bytes_) {
    taken_ += chunk_bytes;
    return nullptr;
  }
  if (segments_.empty() || used_ == segments_.back().size()) {
    add_segment();
  } else if (used_ % part_bytes == 0) {
    ::madvise(segments_.back().data(), used_, MADV_DONTNEED);
  }
  std::byte* const chunk = segments_.back().data() + used_;
  used_ += chunk_bytes;
  return reinterpret_cast<std::uint32_t*>(chunk);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

/// They grow with the file, so that they stay few.
void CellMemory::add_segment() {
  if (!file_) file_.emplace();
  for (const std::span<std::byte> segment : segments_)
    ::madvise(segment.data(), segment.size(), MADV_DONTNEED);
  const std::size_t bytes = std::max<std::size_t>(1, size_ / 16 / part_bytes) * part_bytes;
  segments_.push_back(file_->map(file_->extend(bytes), bytes));
  size_ += bytes;
  used_ = 0;
}

void CellMemory::expect(std::span<const std::uint32_t> cells) {
  constexpr std::uintptr_t page = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(cells.data()) / page * page;  // NOLINT
  const auto end = reinterpret_cast<std::uintptr_t>(cells.data() + cells.size());   // NOLINT
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_WILLNEED);            // NOLINT
}

/// Beside a page lie cells of other columns: who came upon one would from now on read all of them along.
void CellMemory::release() {
  const std::lock_guard lock(mutex_);
  for (const std::span<std::byte> segment : segments_) {
    ::madvise(segment.data(), segment.size(), MADV_DONTNEED);
    ::madvise(segment.data(), segment.size(), MADV_RANDOM);
  }
}

}  // namespace coppice
