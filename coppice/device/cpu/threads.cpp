#include "coppice/device/threads.h"

#include "coppice/device/product.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace coppice {

namespace {

/// How often an idle thread looks for work before it sleeps: about half a millisecond, much longer than a
/// serial stretch inside a training step. Where other programs want the processor too, a thread that sleeps
/// gets it back late, and all the others wait for it.
constexpr int patience = 20000;

constexpr std::uint64_t low_half = 0xFFFFFFFF;

/// How many loops enclose what this thread is doing.
thread_local std::size_t current_depth = 0;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

OwnThread::OwnThread() {
  keep_products_here();
}

std::size_t useful_threads() {
  constexpr std::size_t few = 16;  // cost nothing even on one processor
  static const std::size_t processors =
      std::thread::hardware_concurrency();  // the system reads a file for it
  return std::max(few, processors);
}

ThreadPool::ThreadPool(std::size_t threads) {
  threads = std::min(threads, useful_threads());
  prepare_products();
  if (threads < 2) return;
  const SignalShield inherited;  // a thread begins with its maker's mask: no signal finds it unshielded
  workers_.reserve(threads);
  try {
    for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  } catch (
      const std::system_error&) {  // the system grants no more: results do not depend on how many there are
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

bool ThreadPool::Loop::all_taken() const {
  const std::uint64_t both = taken;
  return (both & low_half) + (both >> 32U) >= count;
}

void ThreadPool::work(Loop& loop, End end) {
  const std::size_t outside = std::exchange(current_depth, loop.depth + 1);
  const WithArithmetic as_owner(loop.arithmetic);
  while (true) {
    const std::uint64_t before = loop.taken.fetch_add(end == End::front ? 1 : std::uint64_t{1} << 32U);
    const std::size_t front = before & low_half;
    const std::size_t back = before >> 32U;
    if (front + back >= loop.count) break;
    try {
      loop.call(loop.body, end == End::front ? front : loop.count - 1 - back);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!loop.error) loop.error = std::current_exception();
      loop.taken = loop.count;
    }
  }
  if (!loop.drained.exchange(true)) --loops_with_work_;
  current_depth = outside;
}

void ThreadPool::run(Loop& loop) {
  loop.depth = current_depth;
  bool asleep = false;
  {
    const std::lock_guard lock(mutex_);
    open_.push_back(&loop);
    ++loops_with_work_;
    asleep = sleepers_ > 0;
  }
  if (asleep) wake_.notify_all();
  work(loop, End::front);
  {
    const std::lock_guard lock(mutex_);
    std::erase(open_, &loop);
  }
  for (int spins = 0; loop.helpers > 0; ++spins) {
    if (loops_with_work_ > 0 && help(loop.depth)) {
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
                                    [&](Loop* l) { return l->depth >= depth && !l->all_taken(); });
    if (found == open_.rend()) return false;
    loop = *found;
    ++loop->helpers;
  }
  work(*loop, End::back);
  --loop->helpers;
  return true;
}

void ThreadPool::serve() {
  const OwnThread own;
  for (int spins = 0;; ++spins) {
    if (loops_with_work_ > 0 && help(0)) {
      spins = 0;
    } else if (spins < patience) {
      pause();
    } else {
      std::unique_lock lock(mutex_);
      ++sleepers_;
      wake_.wait(lock, [this] { return stopping_ || loops_with_work_ > 0; });
      --sleepers_;
      if (stopping_) return;
      spins = 0;
    }
  }
}

}  // namespace coppice
