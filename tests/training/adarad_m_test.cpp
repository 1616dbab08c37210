#include "coppice/training/adarad_m.h"

#include "coppice/device/adarad_unit.h"

#include "tests/training/bench.h"
#include "tests/training/resizing.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

template <class T>
struct MeansBench : StepBench<T, AdaRadM<T>> {
  MeansBench(const NetworkShape& shape, std::uint64_t first)
      : StepBench<T, AdaRadM<T>>({0.1, 0.005, 1e-8}, shape, first) {}
};

/// How far the running means are from orthogonal: the largest part of one along its fan-in, over its length. Means of a
/// few steps that cancel each other are no longer than `least`, and what rounding leaves of them has no direction.
template <class T>
double slant(const Network<T>& network, const OptimizerStateOf<T>& state, double least) {
  double largest = 0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& mean = state.layers[l].mean;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      if (length(weights, j) == 0) continue;
      const double along = std::abs(dot(weights.row(j), mean.row(j))) / length(weights, j);
      largest = std::max(largest, along / std::max(length(mean, j), least));
    }
  }
  return largest;
}

TEST(AdaradM, TheMeanStaysOrthogonalWhateverHappens) {
  constexpr double mean_size = 0.1 * 0.01;  // a gradient's share in a mean, of numbers of that deviation
  EXPECT_TRUE(rc::check("any steps, units that come and go", [] {
    MeansBench<float> bench(random_shape(), *rc::gen::inRange<std::uint64_t>(0, 1000));
    const double angular = *rc::gen::element(1.0, 30.0, 300.0);
    for (std::uint32_t step = 0; step < 40; ++step) {
      bench.draw();
      RC_ASSERT(bench.step({.angular = angular, .radial = 20, .shrinkage = 0.02}));
      bury(bench.network, bench.state, bench.dead, bench.optimizer);
      if (step % 4 == 0) grow(bench.network, bench.state, 100 + step, [](std::size_t, const auto&) {});
      RC_ASSERT(slant(bench.network, bench.state, mean_size) < 1e-5);
    }
  }));
}

TEST(AdaradM, RotationsKeepTheLengthsOfFanInAndMean) {
  EXPECT_TRUE(rc::check("alpha_r = 0, lambda = 0", [] {
    MeansBench<double> bench(random_shape(), *rc::gen::inRange<std::uint64_t>(0, 1000));
    for (int step = 0; step < 10; ++step) {
      bench.draw();
      const Network<double> before = bench.network;
      const OptimizerStateOf<double> state = bench.state;
      RC_ASSERT(bench.step({.angular = 50, .radial = 0, .shrinkage = 0}));
      for (std::size_t l = 0; l < before.layers.size(); ++l) {
        const Matrix<double>& w = before.layers[l].weights;
        const Matrix<double>& g = bench.workspace.layers[l].weight_gradient;
        for (std::size_t j = 0; j < w.rows(); ++j) {
          RC_ASSERT(std::abs(length(bench.network.layers[l].weights, j) - length(w, j)) < 1e-12);
          const double c = dot(w.row(j), g.row(j)) / dot(w.row(j), w.row(j));
          double square = 0;
          for (std::size_t i = 0; i < w.cols(); ++i) {
            const double mean = 0.9 * state.layers[l].mean(j, i) + 0.1 * (g(j, i) - c * w(j, i));
            square += mean * mean;
          }
          RC_ASSERT(std::abs(length(bench.state.layers[l].mean, j) - std::sqrt(square)) < 1e-12);
        }
      }
    }
  }));
}

TEST(AdaradM, ItsFirstStepIsAdarads) {
  // One gradient, and how full the mean is taken into account: the mean is the gradient itself.
  MeansBench<double> bench({.inputs = 6, .outputs = 3, .hidden = {5}}, 3);
  const Network<double> before = bench.network;
  const StepSizes sizes{.angular = 20, .radial = 5, .shrinkage = 0.01};
  ASSERT_TRUE(bench.step(sizes));
  Network<double> plain = before;
  // largest average and capacity are those of a single step, so the angle is alpha_phi |phi| max|phi| / |phi|
  double largest = 0;
  for (std::size_t l = plain.layers.size(); l-- > 0;) {
    const Matrix<double>& g = bench.workspace.layers[l].weight_gradient;
    Matrix<double>& w = plain.layers[l].weights;
    std::vector<RowDots> dots(w.rows());
    for (std::size_t j = 0; j < w.rows(); ++j) {
      dots[j] = {dot<double>(g.row(j), g.row(j)), dot<double>(g.row(j), w.row(j)),
                 dot<double>(w.row(j), w.row(j))};
      largest = std::max(largest, angular_square(dots[j]));
    }
    for (std::size_t j = 0; j < w.rows(); ++j) {
      const double scale = sizes.angular * std::sqrt(largest) / (std::sqrt(angular_square(dots[j])) + 1e-8);
      const RowScale step = adarad_unit_step(dots[j], scale, sizes);
      for (std::size_t i = 0; i < w.cols(); ++i) {
        EXPECT_NEAR(bench.network.layers[l].weights(j, i), step.a * w(j, i) + step.b * g(j, i), 1e-12);
      }
    }
  }
}

TEST(AdaradM, NamesHiddenUnitsThatVanishButKeepsTheLastOfALayer) {
  MeansBench<double> bench({.inputs = 7, .outputs = 3, .hidden = {5, 4}}, 3);
  ASSERT_TRUE(bench.step({.angular = 1, .radial = 1, .shrinkage = 1e3}));
  EXPECT_EQ(bench.dead, (DeadUnits{{0, 1, 2, 3}, {0, 1, 2}}));
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(bench.network.layers[0].weights(j, 0), 0);
  EXPECT_NE(bench.network.layers[0].weights(4, 0), 0);
  EXPECT_EQ(bench.network.layers[2].weights(0, 0), 0);  // outputs are never removed, but may be zero
}

TEST(AdaradM, AZeroOutputUnitTakesAPlainStepAndItsMeanBeginsAnew) {
  MeansBench<double> bench({.inputs = 4, .outputs = 2, .hidden = {3}}, 5);
  ASSERT_TRUE(bench.step({.angular = 10, .radial = 2, .shrinkage = 0}));
  Matrix<double>& output = bench.network.layers[1].weights;
  for (double& weight : output.row(1)) weight = 0;
  bench.draw();
  ASSERT_TRUE(bench.step({.angular = 10, .radial = 2, .shrinkage = 0}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(output(1, i), -2 * bench.workspace.layers[1].weight_gradient(1, i));
    EXPECT_EQ(bench.state.layers[1].mean(1, i), 0);
  }
  EXPECT_EQ(bench.state.layers[1].mean_capacity[1], 0);
  bench.draw();
  ASSERT_TRUE(bench.step({.angular = 10, .radial = 2, .shrinkage = 0}));
  EXPECT_LT(slant(bench.network, bench.state, 1e-12), 1e-12);
}

TEST(AdaradM, RefusesNumbersThatAreNotFinite) {
  MeansBench<double> bench({.inputs = 4, .outputs = 2, .hidden = {3}}, 5);
  bench.workspace.layers[0].weight_gradient(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(bench.step({.angular = 1, .radial = 1, .shrinkage = 0}));
}

}  // namespace
}  // namespace coppice
