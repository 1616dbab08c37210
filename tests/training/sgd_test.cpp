#include "coppice/training/sgd.h"

#include "coppice/device/rows.h"

#include "tests/device/random_matrix.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace coppice {
namespace {

struct DescentBench {
  Network<double> network = make_network<double>({.inputs = 7, .outputs = 3, .hidden = {5, 4}}, 3);
  Workspace<double> workspace;
  Sgd<double> sgd;
  OptimizerStateOf<double> state = sgd.start(network);
  DeadUnits dead;

  DescentBench() {
    workspace.layers.resize(network.layers.size());
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      const Matrix<double>& weights = network.layers[l].weights;
      workspace.layers[l].weight_gradient = random_matrix<double>(weights.rows(), weights.cols(), l, 0.1);
    }
  }
  bool step(double alpha, double shrinkage) {
    ThreadPool pool(2);
    return sgd.step(pool, network, workspace, {.angular = 0, .radial = alpha, .shrinkage = shrinkage}, state,
                    dead);
  }
};

TEST(Sgd, StepsDownTheGradientAndShrinksEveryFanIn) {
  for (const double shrinkage : {0.0, 0.05}) {
    DescentBench bench;
    const Network<double> before = bench.network;
    ASSERT_TRUE(bench.step(0.7, shrinkage));
    for (std::size_t l = 0; l < before.layers.size(); ++l) {
      for (std::size_t j = 0; j < before.layers[l].weights.rows(); ++j) {
        std::vector<double> moved(before.layers[l].weights.cols());
        double square = 0;
        for (std::size_t i = 0; i < moved.size(); ++i) {
          moved[i] = before.layers[l].weights(j, i) - 0.7 * bench.workspace.layers[l].weight_gradient(j, i);
          square += moved[i] * moved[i];
        }
        const double k = 1 - shrinkage / std::sqrt(square);
        for (std::size_t i = 0; i < moved.size(); ++i) {
          EXPECT_NEAR(bench.network.layers[l].weights(j, i), k * moved[i], 1e-14);
        }
      }
    }
  }
}

TEST(Sgd, NamesHiddenUnitsThatVanishButKeepsTheLastOfALayer) {
  DescentBench bench;
  ASSERT_TRUE(bench.step(0.1, 1e3));
  EXPECT_EQ(bench.dead, (DeadUnits{{0, 1, 2, 3}, {0, 1, 2}}));
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(bench.network.layers[0].weights(j, 0), 0);
  EXPECT_NE(bench.network.layers[0].weights(4, 0), 0);
  EXPECT_EQ(bench.network.layers[2].weights(0, 0), 0);  // outputs are never removed, but may be zero
}

TEST(Sgd, RefusesNumbersThatAreNotFinite) {
  DescentBench bench;
  bench.workspace.layers[1].weight_gradient(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(bench.step(0.1, 0.01));
}

}  // namespace
}  // namespace coppice
