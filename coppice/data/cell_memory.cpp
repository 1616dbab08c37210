#include "coppice/data/cell_memory.h"

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
  if (used_ == segment_bytes) {
    if (!file_) file_.emplace();
    // Two segments are filled at once, since columns are; those before them are full.
    if (segments_.size() > 1)
      ::madvise(segments_[segments_.size() - 2].data(), segment_bytes, MADV_DONTNEED);
    segments_.push_back(file_->map(file_->extend(segment_bytes), segment_bytes));
    used_ = 0;
  }
  std::byte* const chunk = segments_.back().data() + used_;
  used_ += chunk_bytes;
  return reinterpret_cast<std::uint32_t*>(chunk);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

void CellMemory::release() {
  const std::lock_guard lock(mutex_);
  for (const std::span<std::byte> segment : segments_)
    ::madvise(segment.data(), segment.size(), MADV_DONTNEED);
}

}  // namespace coppice
