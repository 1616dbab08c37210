#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

namespace coppice {

/// Lets a long job run in a thread of its own, so that the caller's thread stays the caller's: it only does what the job
/// posts to it (telling observers) and asks whether to stop. Its signals reach it; the job's threads have none.
class Conductor {
 public:
  /// `stop` is asked in the thread that calls run(), before the job begins and then several times a second; null: never.
  /// What it answered once holds for good.
  explicit Conductor(std::function<bool()> stop) : stop_(std::move(stop)) {}

  /// Returns when the job has ended and everything it posted is done; rethrows what the job, a posted call or `stop`
  /// threw. A call or `stop` that throws also asks the job to stop, and what is still posted is dropped.
  void run(const std::function<void()>& job);

  /// To be done soon, in order, by the thread that called run(). Waits while so many are left to do: fewer where calls
  /// carry much memory.
  void post(std::function<void()> call, std::size_t most_left = 1000);

  /// Whether the job is to end: cheap, for any thread.
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// Fails, with an error of kind interrupted, if the job is to end.
  void check() const;

 private:
  void work(const std::function<void()>& job);
  void serve();
  void ask();

  std::function<bool()> stop_;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable posted_;
  std::condition_variable taken_;
  std::deque<std::function<void()>> calls_;  ///< guarded by mutex_, as all that follows
  bool ended_ = false;                       ///< the job
  bool deaf_ = false;                        ///< the caller's thread has thrown
  std::exception_ptr error_;                 ///< of the job
};

}  // namespace coppice
