#pragma once

#include "coppice/core/pages.h"
#include "coppice/core/scratch_file.h"
#include "coppice/data/disk_threads.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace coppice {

/// A scratch file of rows with threads that wait for it, and memory of what was read, to be used again.
class RowDisk {
 public:
  using Way = ScratchFile::Way;

  explicit RowDisk(std::shared_ptr<ScratchFile> file) : file_(std::move(file)) {}

  ScratchFile& file() const { return *file_; }

  /// Direct: soon, by a thread of its own. Cached: at once, since it is a copy that is nearest to who needs it.
  void reading(Way way, std::function<void()> work) { add(readers_, way, std::move(work)); }
  void writing(Way way, std::function<void()> work) { add(writers_, way, std::move(work)); }

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
  static void add(DiskThreads& threads, Way way, std::function<void()> work) {
    if (way == Way::direct)
      threads.add(std::move(work));
    else
      work();
  }

  std::shared_ptr<ScratchFile> file_;
  std::mutex mutex_;
  std::vector<Pages> spare_;  ///< guarded by it
  DiskThreads readers_{1};
  DiskThreads writers_{2};
};

}  // namespace coppice
