#include "coppice/device/conductor.h"

#include "coppice/core/arithmetic.h"
#include "coppice/core/fail.h"
#include "coppice/device/product.h"
#include "coppice/device/signals.h"
#include "coppice/device/threads.h"

#include <chrono>
#include <thread>
#include <utility>

namespace coppice {

namespace {

constexpr std::chrono::milliseconds between_questions(20);

}  // namespace

void Conductor::run(const std::function<void()>& job) {
  ended_ = false;
  prepare_products();
  ask();  // a job that is not wanted finds that out at once
  std::thread thread;
  {
    const SignalShield shield;  // the thread inherits it
    thread = std::thread([&, arithmetic = arithmetic()] {
      const WithArithmetic as_caller(arithmetic);
      work(job);
    });
  }
  std::exception_ptr own;
  try {
    serve();
  } catch (...) {
    own = std::current_exception();
    stopped_ = true;
    const std::lock_guard lock(mutex_);
    deaf_ = true;
    calls_.clear();
    taken_.notify_all();
  }
  thread.join();
  if (own) std::rethrow_exception(own);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Conductor::work(const std::function<void()>& job) {
  const OwnThread own;
  std::exception_ptr error;
  try {
    job();
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  error_ = error;
  ended_ = true;
  posted_.notify_all();
}

void Conductor::ask() {
  if (!stopped_ && stop_ && stop_()) stopped_ = true;
}

void Conductor::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto next_question = std::chrono::steady_clock::now() + between_questions;
    posted_.wait_until(lock, next_question, [&] { return ended_ || !calls_.empty(); });
    // A job that posts faster than its calls are done must not keep `stop` from being asked.
    while (!calls_.empty() && std::chrono::steady_clock::now() < next_question) {
      const std::function<void()> call = std::move(calls_.front());
      calls_.pop_front();
      taken_.notify_all();
      lock.unlock();
      call();
      lock.lock();
    }
    if (ended_ && calls_.empty()) return;
    lock.unlock();
    ask();
    lock.lock();
  }
}

void Conductor::post(std::function<void()> call, std::size_t most_left) {
  std::unique_lock lock(mutex_);
  taken_.wait(lock, [&] { return deaf_ || calls_.size() < most_left; });
  if (deaf_) return;
  calls_.push_back(std::move(call));
  posted_.notify_one();
}

void Conductor::check() const {
  if (stopped()) fail_as(ErrorKind::interrupted, "stopped before there was a result");
}

}  // namespace coppice
