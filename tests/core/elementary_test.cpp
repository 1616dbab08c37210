#include "coppice/core/elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <thread>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Off by at most so many units in the last place of what the C library says.
void expect_near(double value, double expected, double units = 4) {
  EXPECT_LE(std::abs(value - expected), units * std::numeric_limits<double>::epsilon() * std::abs(expected))
      << value << " beside " << expected;
}

TEST(Elementary, IsTheCLibrarysToAFewUnitsInTheLastPlace) {
  EXPECT_TRUE(rc::check("numbers of all sizes", [] {
    const double share = *rc::gen::inRange(-1'000'000, 1'000'000) / 1e6;
    const double positive = std::exp(share * 700);
    expect_near(portable::exp(share * 700), std::exp(share * 700), 8);
    expect_near(portable::exp(share), std::exp(share));
    expect_near(portable::log(positive), std::log(positive));
    expect_near(portable::log(1 + share / 2), std::log(1 + share / 2));
    expect_near(portable::log10(positive), std::log10(positive));
    expect_near(portable::tanh(share * 3), std::tanh(share * 3));
    expect_near(portable::pow(positive, 0.75), std::pow(positive, 0.75), 1000);
    expect_near(portable::pow(share, 3), std::pow(share, 3));
    // Beside a zero of the sine the angle itself is known to its last place only.
    EXPECT_NEAR(portable::sin(share * 100), std::sin(share * 100), 4e-16);
    EXPECT_NEAR(portable::cos(share * 100), std::cos(share * 100), 4e-16);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

TEST(Elementary, EndsWhereNumbersDo) {
  EXPECT_EQ(portable::exp(710), infinity);
  EXPECT_EQ(portable::exp(-infinity), 0);
  EXPECT_EQ(portable::exp(0), 1);
  EXPECT_EQ(portable::log(0), -infinity);
  EXPECT_EQ(portable::log(1), 0);
  EXPECT_EQ(portable::log(infinity), infinity);
  EXPECT_TRUE(std::isnan(portable::log(-1)));
  EXPECT_TRUE(std::isnan(portable::exp(std::nan(""))));
  EXPECT_TRUE(std::isnan(portable::sin(infinity)));
  EXPECT_EQ(portable::tanh(-infinity), -1);
  EXPECT_EQ(portable::tanh(0), 0);
  EXPECT_EQ(portable::pow(0, 0.5), 0);
  EXPECT_EQ(portable::pow(2, -2), 0.25);
  EXPECT_EQ(portable::log(std::numeric_limits<double>::denorm_min()),
            std::log(std::numeric_limits<double>::denorm_min()));
  for (int n = -22; n <= 22; ++n)
    EXPECT_EQ(portable::log10(n < 0 ? 1 / std::pow(10.0, -n) : std::pow(10.0, n)), n);
}

/// What they are on every machine: the bits stand here.
TEST(Elementary, HasTheSameBitsEverywhere) {
  std::uint64_t all = 0;
  for (int i = 1; i <= 2000; ++i) {
    const double x = i * 0.0137;
    for (const double value :
         {portable::exp(x), portable::exp(-x), portable::log(x), portable::log10(x), portable::sin(x),
          portable::cos(x), portable::tanh(x - 3), portable::pow(x, 1.5)})
      all = all * 0x100000001b3U + std::bit_cast<std::uint64_t>(value);
  }
  EXPECT_EQ(all, 0x8c29440455d2b7f5U) << std::hex << all;
}

TEST(Arithmetic, IsTheThreadsOwnWhileItIsAsked) {
  EXPECT_EQ(arithmetic(), Arithmetic::native);
  EXPECT_EQ(elementary::exp(0.3), std::exp(0.3));
  {
    const WithArithmetic portably(Arithmetic::portable);
    EXPECT_TRUE(computes_portably());
    EXPECT_EQ(elementary::log(0.3), portable::log(0.3));
    std::thread([] { EXPECT_FALSE(computes_portably()); }).join();
  }
  EXPECT_FALSE(computes_portably());
}

}  // namespace
}  // namespace coppice
