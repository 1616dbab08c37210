#include "coppice/training/shrink.h"

#include "coppice/training/adarad.h"
#include "coppice/training/adarad_m.h"
#include "coppice/training/sgd.h"

#include "tests/device/random_matrix.h"
#include "tests/network/fixture.h"

#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace coppice {
namespace {

constexpr Fan fans[] = {Fan::fan_in, Fan::fan_out};

/// The penalty by the book.
double penalty(const Network<double>& network, const Regularizer& regularizer) {
  double total = 0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<double>& weights = network.layers[l].weights;
    const bool rows = regularizer.fan == Fan::fan_in;
    std::vector<double> norms(rows ? weights.rows() : weights.cols());
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      for (std::size_t i = 0; i < weights.cols(); ++i) {
        const double value = std::abs(weights(j, i));
        norms[rows ? j : i] += regularizer.power == 2 ? value * value : value;
      }
    }
    for (const double norm : norms)
      total += regularizer.factor(l) * (regularizer.power == 2 ? std::sqrt(norm) : norm);
  }
  return total;
}

double distance_square(const Network<double>& a, const Network<double>& b) {
  double total = 0;
  for (std::size_t l = 0; l < a.layers.size(); ++l) {
    for (std::size_t j = 0; j < a.layers[l].weights.rows(); ++j) {
      for (std::size_t i = 0; i < a.layers[l].weights.cols(); ++i)
        total += std::pow(a.layers[l].weights(j, i) - b.layers[l].weights(j, i), 2);
    }
  }
  return total;
}

TEST(Shrink, IsTheProximalStepOfThePenalty) {
  // The shrunk weights u minimise |u - w|^2 / 2 + amount * penalty(u): nothing near them does better.
  constexpr double amount = 0.05;
  for (const Fan fan : fans) {
    for (const std::size_t power : {1U, 2U}) {
      const Regularizer regularizer{.fan = fan, .power = power, .layer_factors = {1, 0.5, 2}};
      const Network<double> before = make_network<double>({.inputs = 6, .outputs = 3, .hidden = {5, 4}}, 3);
      Network<double> after = before;
      ThreadPool pool(2);
      DeadUnits dead;
      ASSERT_TRUE(shrink(pool, after, regularizer, amount, dead));
      const auto objective = [&](const Network<double>& network) {
        return distance_square(network, before) / 2 + amount * penalty(network, regularizer);
      };
      const double least = objective(after);
      EXPECT_LT(least, objective(before));
      Random random(1, Purpose::generator, 9);
      for (int round = 0; round < 300; ++round) {
        Network<double> other = after;
        const double size = std::pow(10, -1 - round % 4);
        Matrix<double>& weights = other.layers[static_cast<std::size_t>(round) % 3].weights;
        for (std::size_t j = 0; j < weights.rows(); ++j) {
          for (double& weight : weights.row(j))
            weight += size * random.normal() * (random.uniform() < 0.3 ? 1 : 0);
        }
        EXPECT_GE(objective(other), least - 1e-12);
      }
    }
  }
}

TEST(Shrink, NamesTheHiddenUnitsThatVanishByTheirFan) {
  Network<double> network = make_network<double>({.inputs = 6, .outputs = 3, .hidden = {5, 4}}, 3);
  for (double& weight : network.layers[0].weights.row(2)) weight *= 1e-3;       // a short fan-in
  for (std::size_t k = 0; k < 4; ++k) network.layers[1].weights(k, 3) *= 1e-3;  // a short fan-out
  for (std::size_t k = 0; k < 5; ++k) network.layers[0].weights(k, 1) *= 1e-3;  // of an input
  for (const Fan fan : fans) {
    for (const std::size_t power : {1U, 2U}) {
      Network<double> shrunk = network;
      ThreadPool pool(1);
      DeadUnits dead;
      ASSERT_TRUE(shrink(pool, shrunk, {.fan = fan, .power = power, .layer_factors = {}}, 0.01, dead));
      EXPECT_EQ(dead, (fan == Fan::fan_in ? DeadUnits{{2}, {}} : DeadUnits{{3}, {}}));
      EXPECT_EQ(shrunk.layers[0].weights(2, 0) == 0, fan == Fan::fan_in || power == 1);
      EXPECT_EQ(shrunk.layers[1].weights(0, 3) == 0, fan == Fan::fan_out || power == 1);
      EXPECT_EQ(shrunk.layers[0].weights(0, 1) == 0, fan == Fan::fan_out || power == 1)
          << "an input is left out";
    }
  }
}

TEST(Shrink, AFanOfJustThatSizeVanishesAndIsNamed) {
  for (const Fan fan : fans) {
    for (const std::size_t power : {1U, 2U}) {
      Network<double> network = make_network<double>({.inputs = 2, .outputs = 2, .hidden = {3}}, 3);
      Matrix<double>& weights = network.layers[fan == Fan::fan_in ? 0 : 1].weights;
      for (std::size_t i = 0; i < 2; ++i) {  // unit 1: of length 5, largest weight 4; the others are longer
        for (std::size_t j = 0; j < 3; ++j) {
          const double weight = j == 1 ? (i == 0 ? 3 : -4) : 20;
          (fan == Fan::fan_in ? weights(j, i) : weights(i, j)) = weight;
        }
      }
      ThreadPool pool(1);
      DeadUnits dead;
      const double size = power == 2 ? 5 : 4;
      ASSERT_TRUE(shrink(pool, network, {.fan = fan, .power = power, .layer_factors = {}}, size, dead));
      EXPECT_EQ(dead, (DeadUnits{{1}})) << static_cast<int>(fan) << " " << power;
      for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ((fan == Fan::fan_in ? weights(1, i) : weights(i, 1)), 0);
    }
  }
}

TEST(Shrink, NeverTakesTheLastUnitOfALayer) {
  for (const Fan fan : fans) {
    for (const std::size_t power : {1U, 2U}) {
      Network<double> network = make_network<double>({.inputs = 6, .outputs = 3, .hidden = {5, 4}}, 3);
      const Network<double> before = network;
      ThreadPool pool(1);
      DeadUnits dead;
      ASSERT_TRUE(shrink(pool, network, {.fan = fan, .power = power, .layer_factors = {}}, 1e3, dead));
      EXPECT_EQ(dead, (DeadUnits{{0, 1, 2, 3}, {0, 1, 2}}));
      if (fan == Fan::fan_in) {
        EXPECT_EQ(network.layers[0].weights(4, 2), before.layers[0].weights(4, 2));
        EXPECT_EQ(network.layers[2].weights(0, 3), 0) << "outputs are never removed, but may be zero";
      } else {
        EXPECT_EQ(network.layers[1].weights(2, 4), before.layers[1].weights(2, 4));
        EXPECT_EQ(network.layers[0].weights(0, 0), 0) << "inputs are never removed, but may be unused";
      }
    }
  }
}

TEST(Shrink, RefusesNumbersThatAreNotFinite) {
  for (const Fan fan : fans) {
    for (const std::size_t power : {1U, 2U}) {
      Network<float> network = make_network<float>({.inputs = 6, .outputs = 3, .hidden = {5}}, 3);
      network.layers[0].weights(1, 1) = std::numeric_limits<float>::quiet_NaN();
      ThreadPool pool(1);
      DeadUnits dead;
      EXPECT_FALSE(shrink(pool, network, {.fan = fan, .power = power, .layer_factors = {}}, 0.1, dead));
    }
  }
}

TEST(Shrink, EveryLayerHasItsFactor) {
  const Regularizer regularizer{.fan = Fan::fan_in, .power = 2, .layer_factors = {1, 3}};
  const Network<double> before = make_network<double>({.inputs = 6, .outputs = 3, .hidden = {5}}, 3);
  const AdaRad<double> adarad(0.005, 1e-8, regularizer);
  const AdaRadM<double> adarad_m(0.1, 0.005, 1e-8, regularizer);
  const Sgd<double> sgd(regularizer);
  for (const Optimizer<double>* optimizer :
       {static_cast<const Optimizer<double>*>(&adarad), static_cast<const Optimizer<double>*>(&adarad_m),
        static_cast<const Optimizer<double>*>(&sgd)}) {
    Network<double> network = before;
    Workspace<double> workspace;
    workspace.layers.resize(2);
    for (std::size_t l = 0; l < 2; ++l) {
      const Matrix<double>& weights = network.layers[l].weights;
      workspace.layers[l].weight_gradient = random_matrix<double>(weights.rows(), weights.cols(), l, 1e-12);
    }
    OptimizerStateOf<double> state = optimizer->start(network);
    ThreadPool pool(1);
    DeadUnits dead;
    ASSERT_TRUE(optimizer->step(pool, network, workspace, {.angular = 1e-9, .radial = 1, .shrinkage = 0.01},
                                state, dead));
    for (std::size_t l = 0; l < 2; ++l) {
      std::vector<double> was(before.layers[l].weights.rows());
      std::vector<double> is(was.size());
      row_lengths(before.layers[l].weights.view(), std::span(was));
      row_lengths(std::as_const(network.layers[l].weights).view(), std::span(is));
      for (std::size_t j = 0; j < was.size(); ++j)
        EXPECT_NEAR(was[j] - is[j], 0.01 * regularizer.factor(l), 1e-8);
    }
  }
}

TEST(Shrink, ByNothingTakesNoUnitEvenOfNoSize) {
  Network<double> network = make_network<double>({.inputs = 2, .outputs = 2, .hidden = {3}}, 3);
  std::ranges::fill(network.layers[0].weights.row(1), 0.0);
  const Matrix<double> before = network.layers[1].weights;
  ThreadPool pool(1);
  DeadUnits dead;
  ASSERT_TRUE(shrink(pool, network, {.fan = Fan::fan_in, .power = 2, .layer_factors = {}}, 0, dead));
  EXPECT_EQ(dead, DeadUnits{{}});
  EXPECT_TRUE(network.layers[1].weights == before);
}

}  // namespace
}  // namespace coppice
