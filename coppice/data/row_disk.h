#pragma once

#include "coppice/core/disk_queue.h"
#include "coppice/core/pages.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace coppice {

/// A scratch file of rows with what is under way to and from it, and memory of what was read, to be used again.
class RowDisk {
 public:
  using Way = ScratchFile::Way;

  explicit RowDisk(std::shared_ptr<ScratchFile> file) : file_(std::move(file)), queue_(*file_) {}

  ScratchFile& file() const { return *file_; }
  DiskQueue& queue() { return queue_; }

  Pages take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    for (Pages& pages : spare_) {
      if (pages.size() != bytes) continue;
      std::swap(pages, spare_.back());
      Pages taken = std::move(spare_.back());
      spare_.pop_back();
      return taken;
    }
    return Pages(bytes);
  }
  void give(Pages pages) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(pages));
  }

 private:
  std::shared_ptr<ScratchFile> file_;
  DiskQueue queue_;
  std::mutex mutex_;
  std::vector<Pages> spare_;  ///< guarded by it
};

}  // namespace coppice
