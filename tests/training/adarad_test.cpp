#include "coppice/training/adarad.h"

#include "tests/network/fixture.h"
#include "tests/training/bench.h"

#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

template <class T>
struct Bench : StepBench<T, AdaRad<T>> {
  Bench(const NetworkShape& shape, std::uint64_t first, double gradient_size = 0.01)
      : StepBench<T, AdaRad<T>>({0.005, 1e-8}, shape, first, gradient_size) {}
};

/// By how much |g|^2 exceeds |phi|^2: the factor by which the dot products' rounding grows in |phi|^2.
double cancellation(std::span<const double> w, std::span<const double> g) {
  const double c = dot(g, w) / dot(w, w);
  double phi = 0;
  for (std::size_t i = 0; i < w.size(); ++i) phi += (g[i] - c * w[i]) * (g[i] - c * w[i]);
  return dot(g, g) / phi;
}

TEST(AdaradStep, RotationKeepsTheLength) {
  EXPECT_TRUE(rc::check("alpha_r = 0, lambda = 0", [] {
    Bench<double> bench(random_shape(), *rc::gen::inRange<std::uint64_t>(0, 1000));
    for (int i = 0; i < 5; ++i) {
      const Network<double> before = bench.network;
      RC_ASSERT(bench.step({.angular = 30, .radial = 0, .shrinkage = 0}));
      RC_ASSERT(!(bench.network == before));
      for (std::size_t l = 0; l < before.layers.size(); ++l) {
        const Matrix<double>& old = before.layers[l].weights;
        for (std::size_t j = 0; j < old.rows(); ++j) {
          const double rounding =
              2e-15 * (1 + cancellation(old.row(j), std::as_const(bench.gradient(l)).row(j)));
          RC_ASSERT(std::abs(length(bench.weights(l), j) / length(old, j) - 1) < rounding);
        }
      }
    }
  }));
}

TEST(AdaradStep, WithAnAngleTheFirstStepTurnsEveryUnitByIt) {
  EXPECT_TRUE(rc::check("alpha_r = 0, lambda = 0", [] {
    Bench<double> bench(random_shape(), *rc::gen::inRange<std::uint64_t>(0, 1000));
    const double angle = 0.01 * *rc::gen::inRange(1, 100);
    const Network<double> before = bench.network;
    RC_ASSERT(bench.step({.angular = angle, .radial = 0, .shrinkage = 0, .by_angle = true}));
    for (std::size_t l = 0; l < before.layers.size(); ++l) {
      const Matrix<double>& old = before.layers[l].weights;
      for (std::size_t j = 0; j < old.rows(); ++j) {
        const double phi2 = dot<double>(bench.gradient(l).row(j), bench.gradient(l).row(j)) /
                            cancellation(old.row(j), std::as_const(bench.gradient(l)).row(j));
        if (old.cols() < 2 || phi2 < 1e-6) continue;  // no direction to turn in, or epsilon counts
        const double cosine =
            dot<double>(bench.weights(l).row(j), old.row(j)) / (length(bench.weights(l), j) * length(old, j));
        RC_ASSERT(std::abs(cosine - std::cos(angle)) < 1e-4 * angle);
      }
    }
  }));
}

TEST(AdaradStep, ShrinkageKeepsTheDirection) {
  EXPECT_TRUE(rc::check("alpha_phi = 0, alpha_r = 0", [] {
    Bench<double> bench(random_shape(), *rc::gen::inRange<std::uint64_t>(0, 1000));
    const Network<double> before = bench.network;
    const double amount = 0.01 * *rc::gen::inRange(1, 20);
    RC_ASSERT(bench.step({.angular = 0, .radial = 0, .shrinkage = amount}));
    for (std::size_t l = 0; l < before.layers.size(); ++l) {
      for (std::size_t j = 0; j < before.layers[l].weights.rows(); ++j) {
        const double old_length = length(before.layers[l].weights, j);
        const double new_length = length(bench.weights(l), j);
        RC_ASSERT(std::abs(new_length - std::max(0.0, old_length - amount)) < 1e-12);
        const double cosine = dot<double>(bench.weights(l).row(j), before.layers[l].weights.row(j));
        RC_ASSERT(std::abs(cosine - old_length * new_length) < 1e-12);
      }
    }
  }));
}

TEST(AdaradStep, ARadialGradientTurnsNothing) {
  Bench<double> bench({.inputs = 4, .outputs = 2, .hidden = {3}}, 1);
  for (std::size_t i = 0; i < 4; ++i) bench.gradient(0)(1, i) = 0.3 * bench.weights(0)(1, i);
  const Matrix<double> before = bench.weights(0);
  ASSERT_TRUE(bench.step({.angular = 30, .radial = 0.5, .shrinkage = 0}));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(bench.weights(0)(1, i), (1 - 0.5 * 0.3) * before(1, i), 1e-12);
}

/// A fan-in of one weight has no angle: what rounding leaves of |phi| must neither turn nor shrink it.
template <class T>
void check_single_weights(T gradient_size) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Bench<T> bench({.inputs = 1, .outputs = 2, .hidden = {20}}, seed, static_cast<double>(gradient_size));
    const Matrix<T> before = bench.weights(0);
    for (int i = 0; i < 20; ++i) {
      bench.gradient(0) = random_matrix<T>(20, 1, seed * 100 + static_cast<std::uint64_t>(i), gradient_size);
      ASSERT_TRUE(bench.step({.angular = 30, .radial = 0, .shrinkage = 0}));
    }
    for (std::size_t j = 0; j < 20; ++j) {
      ASSERT_NEAR(static_cast<double>(bench.weights(0)(j, 0) / before(j, 0)), 1.0, 1e-4) << "unit " << j;
    }
  }
}
TEST(AdaradStep, AFanInOfOneWeightDoesNotTurn) {
  check_single_weights<double>(0.1);
  check_single_weights<float>(0.1F);
}

TEST(AdaradStep, ANearlyRadialGradientIsAccurateInFloat) {
  Bench<float> coarse({.inputs = 50, .outputs = 2, .hidden = {20}}, 3);
  for (std::size_t j = 0; j < 20; ++j) {
    for (std::size_t i = 0; i < 50; ++i) {
      coarse.gradient(0)(j, i) = coarse.weights(0)(j, i) + 0.01F * coarse.gradient(0)(j, i);
    }
  }
  Bench<double> fine({.inputs = 50, .outputs = 2, .hidden = {20}}, 3);
  for (std::size_t l = 0; l < 2; ++l) {
    fine.weights(l) = converted<double>(coarse.weights(l));
    fine.gradient(l) = converted<double>(coarse.gradient(l));
  }
  const StepSizes sizes{.angular = 5, .radial = 0.01, .shrinkage = 0.001};
  ASSERT_TRUE(coarse.step(sizes) && fine.step(sizes));
  for (std::size_t j = 0; j < 20; ++j) {
    for (std::size_t i = 0; i < 50; ++i) {
      EXPECT_NEAR(static_cast<double>(coarse.weights(0)(j, i)), fine.weights(0)(j, i), 1e-4);
    }
  }
}

TEST(AdaradStep, AZeroOutputUnitTakesAPlainGradientStep) {
  Bench<double> bench({.inputs = 3, .outputs = 2, .hidden = {4}}, 1);
  for (double& weight : bench.weights(1).row(1)) weight = 0;
  const double amount = 0.001;
  ASSERT_TRUE(bench.step({.angular = 30, .radial = 0.7, .shrinkage = amount}));
  const double size = 0.7 * length(bench.gradient(1), 1);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(bench.weights(1)(1, i), -0.7 * bench.gradient(1)(1, i) * (1 - amount / size), 1e-14);
  }
  EXPECT_EQ(bench.state.layers[1].average[1], 0);
}

TEST(AdaradStep, AnOutputUnitShrunkToZeroStaysAndMayComeBack) {
  Bench<double> bench({.inputs = 3, .outputs = 2, .hidden = {4}}, 1);
  ASSERT_TRUE(bench.step({.angular = 0, .radial = 0, .shrinkage = 100}));
  EXPECT_EQ(bench.weights(1).rows(), 2U);
  EXPECT_EQ(length(bench.weights(1), 0), 0);
  ASSERT_TRUE(bench.step({.angular = 30, .radial = 1, .shrinkage = 0}));
  EXPECT_GT(length(bench.weights(1), 0), 0);
}

TEST(AdaradStep, TheLastHiddenUnitIsNeverRemoved) {
  Bench<double> bench({.inputs = 3, .outputs = 2, .hidden = {4, 1}}, 1);
  ASSERT_TRUE(bench.step({.angular = 0, .radial = 0, .shrinkage = 100}));
  EXPECT_EQ(bench.dead[0].size(), 3U);
  EXPECT_TRUE(bench.dead[1].empty());
  EXPECT_GT(length(bench.weights(1), 0), 0.0);
  std::size_t alive = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    const bool dead = std::ranges::count(bench.dead[0], j) > 0;
    EXPECT_EQ(length(bench.weights(0), j) == 0, dead);
    alive += dead ? 0 : 1;
  }
  EXPECT_EQ(alive, 1U);
}

TEST(AdaradStep, NamesExactlyTheUnitsThatBecameZero) {
  EXPECT_TRUE(rc::check("dead units", [] {
    Bench<double> bench({.inputs = 4, .outputs = 2, .hidden = {12, 9}},
                        *rc::gen::inRange<std::uint64_t>(0, 1000));
    RC_ASSERT(bench.step({.angular = 30, .radial = 0.5, .shrinkage = 0.9}));
    for (std::size_t l = 0; l < 2; ++l) {
      std::vector<std::size_t> zero;
      for (std::size_t j = 0; j < bench.weights(l).rows(); ++j) {
        if (length(bench.weights(l), j) == 0) zero.push_back(j);
      }
      RC_ASSERT(zero == bench.dead[l]);
    }
  }));
}

/// Two equal units, the second with the larger gradient: the first one's angle already counts with the
/// second's phi.
TEST(AdaradStep, TheLargestAverageIsThatOfTheWholeLayerBeforeItsUnitsMove) {
  Bench<double> bench({.inputs = 2, .outputs = 1, .hidden = {2}}, 1);
  const auto set = [](std::span<double> row, double a, double b) {
    row[0] = a;
    row[1] = b;
  };
  for (std::size_t j = 0; j < 2; ++j) set(bench.weights(0).row(j), 1, 0);
  set(bench.gradient(0).row(0), 0, 0.001);
  set(bench.gradient(0).row(1), 0, 0.004);
  set(bench.gradient(1).row(0), 0, 0);
  ASSERT_TRUE(bench.step({.angular = 10, .radial = 0, .shrinkage = 0}));
  for (std::size_t j = 0; j < 2; ++j) {
    // Both turn by alpha_phi times the larger |phi|.
    EXPECT_NEAR(std::atan2(-bench.weights(0)(j, 1), bench.weights(0)(j, 0)), 10 * 0.004, 1e-5);
  }
  EXPECT_NEAR(bench.state.largest_average, 0.005 * 0.004 * 0.004, 1e-18);
  EXPECT_NEAR(bench.state.largest_capacity, 0.005, 1e-15);
}

TEST(AdaradStep, TheLargestAverageIsNeverReset) {
  Bench<double> bench({.inputs = 3, .outputs = 2, .hidden = {4}}, 1);
  ASSERT_TRUE(bench.step({.angular = 1, .radial = 0, .shrinkage = 0}));
  const double largest = bench.state.largest_average;
  for (std::size_t l = 0; l < 2; ++l) {
    for (std::size_t j = 0; j < bench.gradient(l).rows(); ++j)
      std::ranges::fill(bench.gradient(l).row(j), 0.0);
  }
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(bench.step({.angular = 1, .radial = 0, .shrinkage = 0}));
  EXPECT_EQ(bench.state.largest_average, largest);
}

TEST(AdaradStep, GradientsAndWeightsThatAreNotFiniteAreReported) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (std::size_t l = 0; l < 2; ++l) {
      Bench<float> gradients({.inputs = 3, .outputs = 2, .hidden = {4}}, 1);
      gradients.gradient(l)(1, 2) = static_cast<float>(bad);
      EXPECT_FALSE(gradients.step({.angular = 30, .radial = 1, .shrinkage = 0.01}));
      Bench<float> weights({.inputs = 3, .outputs = 2, .hidden = {4}}, 1);
      weights.weights(l)(1, 2) = static_cast<float>(bad);
      EXPECT_FALSE(weights.step({.angular = 30, .radial = 1, .shrinkage = 0.01}));
    }
  }
}

TEST(AdaradStep, IsTheSameToTheBitForAnyNumberOfThreads) {
  const NetworkShape shape{.inputs = 30, .outputs = 10, .hidden = {100, 70}};
  const StepSizes sizes{.angular = 30, .radial = 0.3, .shrinkage = 0.01};
  Bench<float> expected(shape, 1);
  ASSERT_TRUE(expected.step(sizes));
  for (const std::size_t threads : {2U, 5U}) {
    ThreadPool pool(threads);
    Bench<float> bench(shape, 1);
    ASSERT_TRUE(bench.optimizer.step(pool, bench.network, bench.workspace, sizes, bench.state, bench.dead));
    EXPECT_EQ(bench.network, expected.network);
    EXPECT_EQ(bench.state, expected.state);
  }
}

}  // namespace
}  // namespace coppice
