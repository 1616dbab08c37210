#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace coppice {

/// Threads that wait for a disk while others compute. What they do comes in the order in which it was added.
class DiskThreads {
 public:
  /// As many as the system grants; none: who adds something does it.
  explicit DiskThreads(std::size_t threads);
  /// All that was added has been done.
  ~DiskThreads();
  DiskThreads(const DiskThreads&) = delete;
  DiskThreads& operator=(const DiskThreads&) = delete;

  /// work: throws nothing.
  void add(std::function<void()> work);

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;  ///< guarded by it
  bool ending_ = false;                        ///< guarded by it
  std::vector<std::thread> threads_;
};

}  // namespace coppice
