#include "coppice/device/threads.h"

#include <algorithm>
#include <utility>

namespace coppice {

namespace {

/// How often an idle thread looks for work before it sleeps: about 50 microseconds, the length of a serial
/// stretch inside a training step.
constexpr int patience = 2000;

/// How many loops enclose what this thread is doing.
thread_local std::size_t current_depth = 0;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadPool::ThreadPool(std::size_t threads) {
  for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::work(Loop& loop) {
  const std::size_t outside = std::exchange(current_depth, loop.depth + 1);
  for (std::size_t i = loop.next++; i < loop.count; i = loop.next++) {
    try {
      loop.call(loop.body, i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!loop.error) loop.error = std::current_exception();
      loop.next = loop.count;
    }
  }
  current_depth = outside;
}

void ThreadPool::run(Loop& loop) {
  loop.depth = current_depth;
  bool asleep = false;
  {
    const std::lock_guard lock(mutex_);
    open_.push_back(&loop);
    open_count_ = open_.size();
    asleep = sleepers_ > 0;
  }
  if (asleep) wake_.notify_all();
  work(loop);
  {
    const std::lock_guard lock(mutex_);
    std::erase(open_, &loop);
    open_count_ = open_.size();
  }
  for (int spins = 0; loop.helpers > 0; ++spins) {
    if (open_count_ > 0 && help(loop.depth)) {
      spins = 0;
    } else if (spins < patience) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
  if (loop.error) std::rethrow_exception(std::exchange(loop.error, nullptr));
}

/// Joins the innermost open loop, at least that deep, that has indices left; false if there is none. Who
/// waits inside a body joins no loop further out: the body would stand still for as long as that loop lasts.
bool ThreadPool::help(std::size_t depth) {
  Loop* loop = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(open_.rbegin(), open_.rend(),
                                    [&](Loop* l) { return l->depth >= depth && l->next < l->count; });
    if (found == open_.rend()) return false;
    loop = *found;
    ++loop->helpers;
  }
  work(*loop);
  --loop->helpers;
  return true;
}

void ThreadPool::serve() {
  for (int spins = 0;; ++spins) {
    if (open_count_ > 0 && help(0)) {
      spins = 0;
    } else if (spins < patience) {
      pause();
    } else {
      std::unique_lock lock(mutex_);
      if (stopping_) return;
      if (open_.empty()) {
        ++sleepers_;
        wake_.wait(lock, [this] { return stopping_ || !open_.empty(); });
        --sleepers_;
      } else {
        lock.unlock();
        std::this_thread::yield();
      }
      spins = 0;
    }
  }
}

}  // namespace coppice
