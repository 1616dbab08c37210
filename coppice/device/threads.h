#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace coppice {

/// The threads of a run. Loops nest: a loop over nets may contain loops over tiles, and a thread that has
/// nothing to do helps whichever loop is open; one that waits for its tiles helps with other tiles, never
/// with another net. What an index computes never depends on who runs it, so results don't either.
class ThreadPool {
 public:
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const { return workers_.size() + 1; }

  /// Calls body(i) once for every i in [0, count) and returns when all are done; rethrows the first
  /// exception.
  template <class Body>
  void parallel_for(std::size_t count, const Body& body) {
    if (workers_.empty() || count < 2) {
      for (std::size_t i = 0; i < count; ++i) body(i);
      return;
    }
    Loop loop([](const void* b, std::size_t i) { (*static_cast<const Body*>(b))(i); }, &body, count);
    run(loop);
  }

 private:
  struct Loop {
    using Call = void (*)(const void*, std::size_t);
    Loop(Call c, const void* b, std::size_t n) : call(c), body(b), count(n) {}

    Call call;
    const void* body;
    std::size_t count;
    std::size_t depth = 0;  ///< how many loops enclose it
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> helpers{0};
    std::exception_ptr error;  ///< guarded by the pool's mutex
  };

  void run(Loop& loop);
  void work(Loop& loop);
  bool help(std::size_t depth);
  void serve();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Loop*> open_;  ///< guarded by mutex_
  std::atomic<std::size_t> open_count_{0};
  std::size_t sleepers_ = 0;  ///< guarded by mutex_
  bool stopping_ = false;     ///< guarded by mutex_
};

}  // namespace coppice
