#include "coppice/api/train.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"
#include "tests/foreign_threads.h"
#include "tests/support.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <pthread.h>
#include <stdexcept>
#include <sys/time.h>

// train() as a guest in somebody's process: whose threads call whom, what a stop, a mistake of the host and its signals do.
namespace coppice {
namespace {

using namespace coppice::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Threads of this process.
std::size_t threads_now() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) ++count;
  return count;
}

/// A training that would last for minutes.
Options long_options() {
  Options options = ring_options();
  options.effort = Effort::paper;
  options.max_epochs.reset();
  options.patience = 100'000;
  options.lambdas = {1e-3, 1e-4};
  return options;
}

TEST(Guest, ObserverAndStopAreCalledByTheCallerAlone) {
  Witness witness;
  std::set<std::thread::id> asked_by;
  const auto stop = [&] {
    asked_by.insert(std::this_thread::get_id());
    return false;
  };
  std::thread::id caller;
  std::size_t epochs = 0;
  std::thread host([&] {  // not the program's first thread
    caller = std::this_thread::get_id();
    epochs = train(ring_table(200), ring_options(), &witness, stop).history.size();
  });
  host.join();
  EXPECT_EQ(witness.threads, std::set{caller});
  EXPECT_EQ(asked_by, std::set{caller});
  ASSERT_FALSE(witness.calls.empty());
  EXPECT_EQ(witness.calls.front(), "begin");
  EXPECT_EQ(std::ranges::count(witness.calls, "begin"), 1);
  EXPECT_EQ(witness.epochs.size(), epochs) << "every epoch of the history was told";
}

TEST(Guest, NoThreadIsLeftBehind) {
  train(ring_table(100), ring_options());  // what libraries start once
  const std::size_t before = threads_now();
  train(ring_table(100), ring_options());
  EXPECT_EQ(threads_now(), before);
}

struct Mistake final : Observer {
  explicit Mistake(std::string at) : where(std::move(at)) {}
  void on_begin(const TrainingInfo&) override { maybe("begin"); }
  void on_epoch(const EpochReport& report) override {
    ++epochs;
    if (report.epoch == 3) maybe("epoch");
  }
  void maybe(const std::string& at) const {
    if (at == where) throw std::domain_error("the host's mistake");
  }
  std::string where;
  std::size_t epochs = 0;
};

TEST(Guest, WhatAnObserverThrowsComesOutAndNothingStays) {
  train(ring_table(100), ring_options());
  const std::size_t before = threads_now();
  for (const char* where : {"begin", "epoch"}) {
    Mistake mistake(where);
    const auto start = Clock::now();
    EXPECT_THROW(train(ring_table(2000), long_options(), &mistake), std::domain_error) << where;
    EXPECT_LT(Clock::now() - start, 60s);
    EXPECT_EQ(threads_now(), before) << where;
    EXPECT_LE(mistake.epochs, 2 * 3U) << "it is told nothing more";
  }
  const auto bad_stop = []() -> bool { throw std::domain_error("the host's mistake"); };
  EXPECT_THROW(train(ring_table(200), ring_options(), nullptr, bad_stop), std::domain_error);
  EXPECT_EQ(threads_now(), before);
  EXPECT_NO_THROW(train(ring_table(100), ring_options())) << "and the library is as it was";
}

TEST(Guest, AStopLeavesNetsThatCanBeUsed) {
  const Ring ring(600);
  Options options = long_options();
  options.lambdas = {1e-3, 1e-4, 1e-5};
  Witness witness;
  const Result result = train(ring.table(), options, &witness, [&] { return witness.epochs.size() >= 40; });
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.nets.size(), 3U);
  EXPECT_GE(result.history.size(), 40U);
  EXPECT_EQ(result.history.size(), witness.epochs.size());
  for (const NetResult& net : result.nets) {
    EXPECT_NE(net.phase, "done");
    EXPECT_TRUE(std::isfinite(net.validation_error));
    EXPECT_GT(net.epochs, 0U);
  }
  ASSERT_TRUE(result.chosen);
  const Prediction predicted = result.model().predict(ring.table());
  std::size_t right = 0;
  for (std::size_t i = 0; i < 600; ++i)
    right += predicted.class_of(i) == std::to_string(ring.label[i]) ? 1 : 0;
  EXPECT_GT(right, 400U);
  EXPECT_EQ(Model::from_bytes(result.model().bytes()).bytes(), result.model().bytes());
}

TEST(Guest, AStopBeforeAnyNetIsAnErrorOfItsOwnKind) {
  train(ring_table(100), ring_options());  // what libraries start once
  const std::size_t before = threads_now();
  Witness witness;
  try {
    train(ring_table(500), long_options(), &witness, [] { return true; });
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_TRUE(witness.epochs.empty());
  EXPECT_EQ(threads_now(), before);
}

/// Asked at every question that the preparation leaves time for; nets that were never trained are no result.
TEST(Guest, AStopAtAnyTimeGivesTrainedNetsOrAnError) {
  const Table table = ring_table(20'000);
  for (int questions = 1; questions <= 12; ++questions) {
    int left = questions;
    try {
      const Result result = train(table, long_options(), nullptr, [&] { return --left <= 0; });
      EXPECT_TRUE(result.stopped);
      EXPECT_FALSE(result.history.empty());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted) << error.what();
    }
  }
}

TEST(Guest, ATrainingThatWasOverIsNotCalledStopped) {
  bool over = false;
  struct Last final : Observer {
    explicit Last(bool& flag) : over(&flag) {}
    void on_epoch(const EpochReport& report) override { *over = !report.running; }
    bool* over;
  };
  Last last(over);
  const Result result = train(ring_table(100), ring_options(), &last, [&] { return over; });
  EXPECT_EQ(result.nets[0].epochs, 12U);
  EXPECT_FALSE(result.stopped);
}

// Lock-free, so a handler may write them.
std::atomic<int> handled = 0;
std::atomic<int> handled_elsewhere = 0;
std::atomic<std::int64_t> last_handled = 0;  ///< nanoseconds
std::atomic<std::int64_t> longest_gap = 0;
pthread_t host_thread;

std::int64_t nanoseconds() {
  return Clock::now().time_since_epoch().count();
}

void handle(int) {
  const int before = errno;
  const std::int64_t now = nanoseconds();
  longest_gap = std::max<std::int64_t>(longest_gap, now - last_handled);
  last_handled = now;
  if (pthread_equal(pthread_self(), host_thread) == 0) ++handled_elsewhere;
  ++handled;
  errno = before;
}

/// A handler of the host for as long as it lives.
class Handler {
 public:
  explicit Handler(int signal) : signal_(signal) {
    handled = 0;
    handled_elsewhere = 0;
    longest_gap = 0;
    last_handled = nanoseconds();
    host_thread = pthread_self();
    struct sigaction action {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigaction(signal_, &action, &before_);
  }
  ~Handler() { sigaction(signal_, &before_, nullptr); }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

TEST(Guest, TheHostsAlarmsRingWhileItTrains) {
  const Handler handler(SIGALRM);
  const itimerval often{{0, 5000}, {0, 5000}};
  setitimer(ITIMER_REAL, &often, nullptr);
  const auto start = Clock::now();
  const auto stop = [&] { return Clock::now() - start > 700ms; };
  const Result result = train(ring_table(20'000), long_options(), nullptr, stop);
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  EXPECT_TRUE(result.stopped);
  EXPECT_GT(handled, 30) << "of 140";
  if (no_foreign_threads()) {
    EXPECT_EQ(handled_elsewhere, 0) << "in the caller's thread, as before";
  }
  EXPECT_LT(longest_gap, 2'000'000'000) << "none had to wait for the training";
}

/// Ctrl-C in a host program: its handler runs at once, its `stop` sees what it wrote, train() returns.
TEST(Guest, AnInterruptOfTheHostEndsTheTraining) {
  const Handler handler(SIGINT);
  struct Interrupt final : Observer {
    void on_epoch(const EpochReport&) override {
      if (++epochs != 5) return;
      kill(getpid(), SIGINT);
    }
    std::size_t epochs = 0;
  };
  Interrupt interrupt;
  const auto start = Clock::now();
  const Result result = train(ring_table(2000), long_options(), &interrupt, [] { return handled > 0; });
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(handled, 1);
  if (no_foreign_threads()) {
    EXPECT_EQ(handled_elsewhere, 0);
  }
  EXPECT_LT(Clock::now() - start, 60s);
}

}  // namespace
}  // namespace coppice
