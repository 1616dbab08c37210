#include "coppice/data/disk_threads.h"

#include "coppice/device/signals.h"

#include <system_error>
#include <utility>

namespace coppice {

DiskThreads::DiskThreads(std::size_t threads) {
  threads_.reserve(threads);
  try {
    while (threads_.size() < threads) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {  // there are no more
  }
}

DiskThreads::~DiskThreads() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void DiskThreads::add(std::function<void()> work) {
  if (threads_.empty()) {
    work();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void DiskThreads::serve() {
  const SignalShield shield;
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work();
  }
}

}  // namespace coppice
