#include "coppice/device/conductor.h"

#include "coppice/core/fail.h"

#include "tests/support.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <numeric>
#include <pthread.h>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace std::chrono_literals;

/// Waits until the job is asked to stop; gives up after ten seconds.
bool is_stopped_soon(const Conductor& conductor) {
  for (int i = 0; i < 10'000 && !conductor.stopped(); ++i) std::this_thread::sleep_for(1ms);
  return conductor.stopped();
}

TEST(Conductor, CallsAreDoneInOrderByTheThreadThatRuns) {
  Conductor conductor({});
  const std::thread::id here = std::this_thread::get_id();
  std::thread::id there;
  std::vector<int> done;
  std::set<std::thread::id> callers;
  conductor.run([&] {
    there = std::this_thread::get_id();
    for (int i = 0; i < 5000; ++i) {  // more than wait in line at once
      conductor.post([&, i] {
        done.push_back(i);
        callers.insert(std::this_thread::get_id());
      });
    }
  });
  std::vector<int> expected(5000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(done, expected) << "every call once, all of them before run() returns";
  EXPECT_NE(there, here);
  EXPECT_EQ(callers, std::set{here});
}

/// Calls may carry a net each: if they are done slowly, the job waits.
TEST(Conductor, NoMoreCallsWaitThanThePosterAllows) {
  Conductor conductor({});
  std::atomic<std::size_t> alive = 0;
  std::size_t most = 0;
  struct Carried {
    explicit Carried(std::atomic<std::size_t>& all) : count(&all) { ++*count; }
    ~Carried() { --*count; }
    Carried(const Carried&) = delete;
    Carried& operator=(const Carried&) = delete;
    std::atomic<std::size_t>* count;
  };
  conductor.run([&] {
    for (int i = 0; i < 50; ++i) {
      conductor.post(
          [&, carried = std::make_shared<Carried>(alive)] {
            std::this_thread::sleep_for(1ms);
            most = std::max(most, alive.load());
          },
          4);
    }
  });
  EXPECT_GT(most, 1U);
  EXPECT_LE(most, 4U + 2) << "those in line, the one in hand, the one that waits to be posted";
  EXPECT_EQ(alive, 0U);
}

TEST(Conductor, CallsFromManyThreadsAreAllDone) {
  Conductor conductor({});
  std::vector<std::vector<int>> done(4);
  conductor.run([&] {
    std::vector<std::jthread> threads;
    for (std::vector<int>& mine : done) {
      threads.emplace_back([&] {
        for (int i = 0; i < 700; ++i) conductor.post([&, i] { mine.push_back(i); });
      });
    }
  });
  std::vector<int> expected(700);
  std::iota(expected.begin(), expected.end(), 0);
  for (const std::vector<int>& of_thread : done)
    EXPECT_EQ(of_thread, expected) << "in the order of each thread";
}

TEST(Conductor, WhatTheJobWroteIsThereAfterwards) {
  Conductor conductor({});
  std::vector<int> result;
  for (int round = 0; round < 100; ++round) conductor.run([&] { result.push_back(round); });
  EXPECT_EQ(result.size(), 100U) << "and it may run one job after another";
}

TEST(Conductor, StopIsAskedByTheThreadThatRunsUntilItSaysYes) {
  std::set<std::thread::id> asked_by;
  int asked = 0;
  Conductor conductor([&] {
    asked_by.insert(std::this_thread::get_id());
    return ++asked == 5;
  });
  EXPECT_FALSE(conductor.stopped());
  bool stopped = false;
  conductor.run([&] { stopped = is_stopped_soon(conductor); });
  EXPECT_TRUE(stopped);
  EXPECT_EQ(asked_by, std::set{std::this_thread::get_id()});
  EXPECT_EQ(asked, 5) << "what it said holds for good: it is asked no more, though it would say no now";
  conductor.run([] {});
  EXPECT_EQ(asked, 5);
  EXPECT_TRUE(conductor.stopped());
  EXPECT_THROW(conductor.check(), Error);
}

TEST(Conductor, AJobThatIsNotWantedFindsOutAtOnce) {
  Conductor conductor([] { return true; });
  bool stopped = false;
  conductor.run([&] { stopped = conductor.stopped(); });
  EXPECT_TRUE(stopped);
}

TEST(Conductor, AStopIsAnErrorOfItsOwnKind) {
  Conductor conductor([] { return true; });
  try {
    conductor.run([&] { conductor.check(); });
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  Conductor never({});
  EXPECT_NO_THROW(never.run([&] { never.check(); }));
}

/// Calls that take longer than the job needs to post them must not keep `stop` from being asked.
TEST(Conductor, StopIsAskedBetweenCallsThatNeverEnd) {
  std::size_t done = 0;
  Conductor conductor([&] { return done > 3; });
  conductor.run([&] {
    for (int i = 0; i < 1500 && !conductor.stopped(); ++i) {
      conductor.post([&] {
        if (!conductor.stopped()) std::this_thread::sleep_for(5ms);
        ++done;
      });
    }
  });
  EXPECT_GT(done, 3U);
  EXPECT_LT(done, 1500U) << "nobody asked";
}

TEST(Conductor, WhatTheJobThrowsComesOutAfterItsCalls) {
  Conductor conductor({});
  int done = 0;
  const auto job = [&] {
    for (int i = 0; i < 50; ++i) conductor.post([&] { ++done; });
    throw std::out_of_range("the job");
  };
  try {
    conductor.run(job);
    ADD_FAILURE();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "the job");
  }
  EXPECT_EQ(done, 50);
  EXPECT_FALSE(conductor.stopped());
  conductor.run([&] { conductor.post([&] { ++done; }); });
  EXPECT_EQ(done, 51) << "it is as good as new";
}

TEST(Conductor, WhatACallThrowsStopsTheJobAndDropsTheOtherCalls) {
  Conductor conductor({});
  int done = 0;
  bool stopped = false;
  const auto job = [&] {
    conductor.post([&] {
      ++done;
      throw std::domain_error("the call");
    });
    stopped = is_stopped_soon(conductor);
    for (int i = 0; i < 5000; ++i) conductor.post([&] { ++done; });  // nobody takes them, and nobody waits
  };
  EXPECT_THROW(conductor.run(job), std::domain_error);
  EXPECT_TRUE(stopped);
  EXPECT_EQ(done, 1);
}

TEST(Conductor, AJobThatWaitsInAFullLineIsFreedByACallThatThrows) {
  Conductor conductor({});
  std::atomic<bool> ended = false;
  int done = 0;
  const auto job = [&] {
    conductor.post([&] {
      std::this_thread::sleep_for(50ms);  // long enough for the line to fill
      throw std::domain_error("the call");
    });
    for (int i = 0; i < 20'000; ++i) conductor.post([&] { ++done; });
    ended = true;
  };
  EXPECT_THROW(conductor.run(job), std::domain_error);
  EXPECT_TRUE(ended) << "the job has come to its end, and its thread with it";
  EXPECT_EQ(done, 0);
}

TEST(Conductor, WhatStopThrowsComesOutAndStopsTheJob) {
  int asked = 0;
  Conductor conductor([&]() -> bool {
    if (++asked < 3) return false;
    throw std::domain_error("the question");
  });
  bool stopped = false;
  EXPECT_THROW(conductor.run([&] { stopped = is_stopped_soon(conductor); }), std::domain_error);
  EXPECT_TRUE(stopped);
  Conductor at_once([]() -> bool { throw std::domain_error("the first question"); });
  bool began = false;
  EXPECT_THROW(at_once.run([&] { began = true; }), std::domain_error);
  EXPECT_FALSE(began);
}

/// The caller's own mistake is what it wants to know, even if the job then fails as well.
TEST(Conductor, OfTwoExceptionsTheCallersOwnComesOut) {
  Conductor conductor({});
  const auto job = [&] {
    conductor.post([] { throw std::domain_error("the call"); });
    ASSERT_TRUE(is_stopped_soon(conductor));
    conductor.check();
  };
  EXPECT_THROW(conductor.run(job), std::domain_error);
}

// Lock-free, so a handler may write them.
std::atomic<int> taken = 0;
std::atomic<int> taken_elsewhere = 0;
pthread_t caller;

void handle(int) {
  const int before = errno;
  ++taken;
  if (pthread_equal(pthread_self(), caller) == 0) ++taken_elsewhere;
  errno = before;
}

/// A handler for SIGUSR1 for as long as it lives.
class UserSignal {
 public:
  UserSignal() {
    taken = 0;
    taken_elsewhere = 0;
    caller = pthread_self();
    struct sigaction action {};
    action.sa_handler = handle;
    sigaction(SIGUSR1, &action, &before_);
  }
  ~UserSignal() { sigaction(SIGUSR1, &before_, nullptr); }
  UserSignal(const UserSignal&) = delete;
  UserSignal& operator=(const UserSignal&) = delete;

 private:
  struct sigaction before_ {};
};

TEST(Conductor, SignalsReachTheCallerAndNeverTheJob) {
  const UserSignal handler;
  Conductor conductor({});
  bool blocked = false;
  conductor.run([&] {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    blocked = sigismember(&mask, SIGUSR1) == 1 && sigismember(&mask, SIGINT) == 1 &&
              sigismember(&mask, SIGALRM) == 1 && sigismember(&mask, SIGSEGV) == 0;
    for (int i = 0; i < 20; ++i) {
      const int before = taken;
      kill(getpid(), SIGUSR1);  // to the process: any thread that lets it through may get it
      for (int wait = 0; wait < 5000 && taken == before; ++wait) std::this_thread::sleep_for(1ms);
      ASSERT_EQ(taken, before + 1) << "while the job goes on";
    }
  });
  EXPECT_TRUE(blocked);
  EXPECT_EQ(taken, 20);
  EXPECT_EQ(taken_elsewhere, 0);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGUSR1), 0) << "the caller's own mask is as it was";
}

}  // namespace
}  // namespace coppice
