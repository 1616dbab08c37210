#include "coppice/device/signals.h"

#include "coppice/core/matrix.h"
#include "coppice/device/product.h"
#include "coppice/device/threads.h"

#include "tests/foreign_threads.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <optional>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/time.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice {
namespace {

using test::no_foreign_threads;
using testing::IsEmpty;

volatile std::sig_atomic_t handled = 0;
volatile std::sig_atomic_t handled_elsewhere = 0;
pthread_t host = 0;
std::array<void*, 4096> interrupted;

/// Whether place_of() tells; sanitizers handle signals later than they come.
#if defined(__x86_64__) && !defined(COPPICE_SANITIZED)
constexpr bool places_are_known = true;
#else
constexpr bool places_are_known = false;
#endif

/// Where a signal came in.
void* place_of(const void* context) {
#if defined(__x86_64__)
  return reinterpret_cast<void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  static_cast<void>(context);
  return nullptr;
#endif
}

void count(int, siginfo_t*, void* context) {
  const auto before = static_cast<std::size_t>(handled);
  if (before < interrupted.size()) interrupted.at(before) = place_of(context);
  handled = static_cast<std::sig_atomic_t>(before + 1);
  if (pthread_equal(pthread_self(), host) == 0) handled_elsewhere = 1;
}

/// Counts the signals of one kind for as long as it lives.
class Handler {
 public:
  explicit Handler(int signal) : signal_(signal) {
    handled = 0;
    handled_elsewhere = 0;
    host = pthread_self();
    struct sigaction action {};
    action.sa_sigaction = count;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigaction(signal, &action, &before_);
  }
  ~Handler() { sigaction(signal_, &before_, nullptr); }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

/// SIGALRM every 200 microseconds for as long as it lives.
class Storm {
 public:
  Storm() : handler_(SIGALRM) {
    const itimerval often{{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~Storm() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
  }
  Storm(const Storm&) = delete;
  Storm& operator=(const Storm&) = delete;

 private:
  Handler handler_;
};

/// Where signals came in while oneDNN computed: in its library or in code that it has made itself, which belongs to no
/// file.
std::vector<std::string> handled_in_onednn() {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < std::min<std::size_t>(handled, interrupted.size()); ++i) {
    Dl_info info{};
    const bool known = dladdr(interrupted.at(i), &info) != 0 && info.dli_fname != nullptr;
    if (known && std::string_view(info.dli_fname).find("dnnl") == std::string_view::npos) continue;
    found.push_back(fmt::format("{} in {} ({})", interrupted.at(i), known ? info.dli_fname : "no file",
                                known && info.dli_sname != nullptr ? info.dli_sname : "no name"));
  }
  return found;
}

Matrix<float> filled(std::size_t rows, std::size_t cols) {
  Matrix<float> matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) matrix(i, j) = static_cast<float>((7 * i + 3 * j) % 11) - 5;
  }
  return matrix;
}

/// A product that a handler's frame destroys.
struct Tender {
  Matrix<float> a = filled(15, 1000);
  Matrix<float> b = filled(1000, 784);
  Matrix<float> expected{15, 784};

  Tender() { compute(expected); }
  void compute(Matrix<float>& c) const { product(Op::plain, a.view(), Op::plain, b.view(), c.view()); }
  bool is_right() const {
    Matrix<float> c(15, 784);
    compute(c);
    return c == expected;
  }
};

/// Many products in a storm of signals, by the host and a pool.
void compute_in_a_storm(std::size_t threads, bool paused) {
  const Tender tender;
  ThreadPool pool(threads);
  const bool alone = no_foreign_threads();  // asks oneDNN, so not in the storm
  const Storm storm;
  std::optional<SignalPause> pause;
  if (paused) pause.emplace();
  std::atomic<int> wrong = 0;
  pool.parallel_for(1000, [&](std::size_t) {
    if (!tender.is_right()) ++wrong;
  });
  const int during = handled;
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(during, 20) << "signals are handled between the products of one loop";
  if (!alone) return;
  EXPECT_EQ(handled_elsewhere, 0) << "a thread of the pool has handled one";
  if (places_are_known) {
    EXPECT_THAT(handled_in_onednn(), IsEmpty());
  }
}

TEST(SignalShield, ProductsInAStormOfSignalsStayRight) {
  for (const std::size_t threads : {1, 2}) compute_in_a_storm(threads, false);
}

TEST(SignalPause, ProductsInAStormOfSignalsStayRight) {
  for (const std::size_t threads : {1, 2}) compute_in_a_storm(threads, true);
}

/// Ctrl-C in a program that computes in its own thread: what is sent to the process reaches that thread, in the middle
/// of a loop, as soon as it is between two products.
TEST(SignalShield, ASignalToTheProcessIsHandledByTheHostBetweenTwoProducts) {
  if (!no_foreign_threads()) GTEST_SKIP() << "threads of " << product_library() << " take signals, too";
  const Tender tender;
  for (const std::size_t threads : {1, 3}) {
    ThreadPool pool(threads);
    const Handler handler(SIGINT);
    const std::thread::id owner = std::this_thread::get_id();
    std::atomic<int> sent = 0;
    std::atomic<int> late = 0;
    pool.parallel_for(60, [&](std::size_t) {
      EXPECT_TRUE(tender.is_right());
      if (std::this_thread::get_id() != owner) return;
      kill(getpid(), SIGINT);  // returns after the handler: no other thread takes it
      if (handled != ++sent) ++late;
    });
    EXPECT_GT(sent, 0);
    EXPECT_EQ(handled, sent);
    EXPECT_EQ(late, 0);
    EXPECT_EQ(handled_elsewhere, 0);
  }
}

sigset_t mask_of_this_thread() {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return mask;
}

TEST(SignalShield, TheHostsMaskIsAsItWasAndThePoolsThreadsBlockAllButErrors) {
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGUSR2);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &own, &before);
  const Tender tender;
  std::atomic<int> others = 0;
  {
    ThreadPool pool(3);
    const std::thread::id owner = std::this_thread::get_id();
    while (others == 0) {
      pool.parallel_for(30, [&](std::size_t) {
        EXPECT_TRUE(tender.is_right());
        const sigset_t mask = mask_of_this_thread();
        const bool mine = std::this_thread::get_id() == owner;
        EXPECT_EQ(sigismember(&mask, SIGINT), mine ? 0 : 1);
        EXPECT_EQ(sigismember(&mask, SIGUSR2), 1);
        EXPECT_EQ(sigismember(&mask, SIGSEGV), 0);
        if (!mine) ++others;
      });
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(SignalShield, SignalsWaitUntilTheOutermostShieldEnds) {
  const Handler handler(SIGUSR1);
  {
    const SignalShield outer;
    {
      const SignalShield inner;
      const SignalPause pause;
      raise(SIGUSR1);
    }
    EXPECT_EQ(handled, 0);
  }
  EXPECT_EQ(handled, 1);
}

/// The signals handled so far, after one more.
int after_another() {
  raise(SIGUSR1);
  return handled;
}

TEST(SignalPause, SignalsWaitForAMillisecondsWorthOfProducts) {
  const Handler handler(SIGUSR1);
  {
    const SignalPause pause;
    EXPECT_EQ(after_another(), 1) << "no product yet";
    { const SignalShield small(1e3); }
    EXPECT_EQ(after_another(), 1);
    {
      const SignalPause inner;
      const SignalShield small(1e3);
    }
    EXPECT_EQ(handled, 1) << "the outer one counts";
    { const SignalShield large(1e9); }
    EXPECT_EQ(handled, 2);
    EXPECT_EQ(after_another(), 3) << "until the next product";
    for (int i = 0; i < 100; ++i) {
      const SignalShield small(1e6);
      raise(SIGUSR1);
    }
    EXPECT_GT(handled, 4) << "small ones add up";
    EXPECT_LT(handled, 20);
    { const SignalShield small(1e3); }
    handled = 0;
    EXPECT_EQ(after_another(), 0);
  }
  EXPECT_EQ(handled, 1) << "at the end";
  { const SignalShield small(1e3); }
  EXPECT_EQ(after_another(), 2) << "without a pause nothing waits";
}

}  // namespace
}  // namespace coppice
