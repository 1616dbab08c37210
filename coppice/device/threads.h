#pragma once

#include "coppice/core/arithmetic.h"
#include "coppice/device/signals.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace coppice {

/// What every thread of this library begins with and keeps: it leaves signals to others and computes its products alone.
class OwnThread {
 public:
  OwnThread();

 private:
  SignalShield shield_;
};

/// More threads than these only wait for each other: as many as the machine runs at a time, or a few where that is less.
std::size_t useful_threads();

/// The threads of a run. Loops nest: a loop over nets may contain loops over tiles, and a thread that has
/// nothing to do helps whichever loop is open; one that waits for its tiles helps with other tiles, never
/// with another net. What an index computes never depends on who runs it, so results don't either.
class ThreadPool {
 public:
  /// With the calling thread there are so many, or as many as are useful or the system grants.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const { return workers_.size() + 1; }

  /// Calls body(i) once for every i in [0, count) and returns when all are done; rethrows the first
  /// exception. The calling thread takes part and handles its signals as ever, but for those that arrive inside a
  /// product (signals.h); the pool's own threads leave all signals to others.
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
    Arithmetic arithmetic = coppice::arithmetic();  ///< of its owner, and of who helps
    std::size_t depth = 0;                          ///< how many loops enclose it
    /// Indices taken: by the loop's owner from the front (low half of the bits), by helpers from the back (high
    /// half). So two threads have the same halves in every loop, and find in their caches what they left there.
    std::atomic<std::uint64_t> taken{0};
    bool all_taken() const;
    std::atomic<bool> drained{false};  ///< every index is taken
    std::atomic<std::size_t> helpers{0};
    std::exception_ptr error;  ///< guarded by the pool's mutex
  };

  void run(Loop& loop);
  enum class End : std::uint8_t { front, back };
  void work(Loop& loop, End end);
  bool help(std::size_t depth);
  void serve();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Loop*> open_;                      ///< guarded by mutex_
  std::atomic<std::size_t> loops_with_work_{0};  ///< so that who has nothing to do need not take the mutex
  std::size_t sleepers_ = 0;                     ///< guarded by mutex_
  bool stopping_ = false;                        ///< guarded by mutex_
};

}  // namespace coppice
