#include "coppice/device/signals.h"

#include "coppice/core/matrix.h"
#include "coppice/device/product.h"
#include "coppice/device/threads.h"

#include <csignal>
#include <cstdint>
#include <sys/time.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

volatile std::sig_atomic_t handled = 0;
volatile std::sig_atomic_t handled_inside = 0;
volatile std::sig_atomic_t inside = 0;

void count(int) {
  handled = handled + 1;
  if (inside != 0) handled_inside = handled_inside + 1;
}

/// SIGALRM every 200 microseconds for as long as it lives.
class Storm {
 public:
  Storm() {
    struct sigaction action {};
    action.sa_handler = count;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, &before_);
    const itimerval often{{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~Storm() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }
  Storm(const Storm&) = delete;
  Storm& operator=(const Storm&) = delete;

 private:
  struct sigaction before_ {};
};

Matrix<float> filled(std::size_t rows, std::size_t cols) {
  Matrix<float> matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) matrix(i, j) = static_cast<float>((7 * i + 3 * j) % 11) - 5;
  }
  return matrix;
}

TEST(SignalShield, ProductsInAStormOfSignalsStayRight) {
  const Matrix<float> a = filled(15, 1000);
  const Matrix<float> b = filled(1000, 784);
  Matrix<float> expected(15, 784);
  product(Op::plain, a.view(), Op::plain, b.view(), expected.view());
  for (const std::size_t threads : {1, 2}) {
    ThreadPool pool(threads);
    const Storm storm;
    handled = 0;
    handled_inside = 0;
    for (int round = 0; round < 20; ++round) {
      pool.parallel_for(50, [&](std::size_t) {
        Matrix<float> c(15, 784);
        if (threads == 1) inside = 1;
        product(Op::plain, a.view(), Op::plain, b.view(), c.view());
        inside = 0;
        ASSERT_TRUE(c == expected);
      });
    }
    EXPECT_GT(handled, 0) << "signals are handled between the loops";
    EXPECT_EQ(handled_inside, 0);
  }
}

TEST(SignalShield, SignalsWaitUntilTheOutermostShieldEnds) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = count;
  sigaction(SIGUSR1, &action, &before);
  handled = 0;
  {
    const SignalShield outer;
    {
      const SignalShield inner;
      raise(SIGUSR1);
    }
    EXPECT_EQ(handled, 0);
  }
  EXPECT_EQ(handled, 1);
  sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace coppice
