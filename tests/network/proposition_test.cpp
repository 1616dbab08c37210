// Proposition 1: with self-similar nonlinearities, one lambda per layer is the same as their geometric mean
// for all layers, after scaling W_l by lambda_l / lambda.
#include "coppice/network/evaluate.h"

#include "tests/network/fixture.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

/// Scores and loss without any CapNorm: mean 0 and divisor 1 everywhere.
std::pair<Matrix<double>, double> without_capnorm(const Network<double>& network, const Dataset& data) {
  Statistics<double> none;
  for (const Layer<double>& layer : network.layers) {
    none.mean.emplace_back(layer.weights.rows(), 0.0);
    none.divisor.emplace_back(layer.weights.rows(), 1.0);
  }
  ThreadPool pool(1);
  Workspace<double> workspace;
  const double loss = evaluate(pool, network, none, data, all_rows(data), workspace).loss;
  return {workspace.layers.back().y, loss};
}

double penalty(const Network<double>& network, const std::vector<double>& lambdas) {
  double sum = 0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    for (std::size_t j = 0; j < network.layers[l].weights.rows(); ++j) {
      double square = 0;
      for (const double weight : network.layers[l].weights.row(j)) square += weight * weight;
      sum += lambdas[l] * std::sqrt(square);
    }
  }
  return sum;
}

/// The largest change of f, and the relative change of loss + penalty, when W_l is scaled by lambda_l /
/// lambda.
std::pair<double, double> changes(Activation activation, std::uint64_t seed,
                                  const std::vector<double>& lambdas) {
  const Dataset data = random_dataset(10, 4, 3, seed);
  Network<double> network =
      uneven_network<double>({.inputs = 4, .outputs = 3, .hidden = {6, 5}, .activation = activation}, seed);
  const Network<double> before = network;
  double logs = 0;
  for (const double lambda : lambdas) logs += std::log(lambda) / static_cast<double>(lambdas.size());
  const double mean = std::exp(logs);
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    for (std::size_t j = 0; j < network.layers[l].weights.rows(); ++j) {
      for (double& weight : network.layers[l].weights.row(j)) weight *= lambdas[l] / mean;
    }
  }
  const auto [old_scores, old_loss] = without_capnorm(before, data);
  const auto [new_scores, new_loss] = without_capnorm(network, data);
  const double old_energy = old_loss + penalty(before, lambdas);
  const double new_energy = new_loss + penalty(network, std::vector<double>(3, mean));
  return {largest_difference(new_scores, old_scores), std::abs(new_energy - old_energy) / old_energy};
}

TEST(Proposition1, LambdasPerLayerEqualTheirGeometricMean) {
  for (const Activation activation : self_similar) {
    EXPECT_TRUE(rc::check("self-similar", [&] {
      std::vector<double> lambdas;
      for (int l = 0; l < 3; ++l) lambdas.push_back(std::pow(10.0, 0.01 * *rc::gen::inRange(-300, 0)));
      const auto [of_f, of_energy] = changes(activation, *rc::gen::inRange<std::uint64_t>(0, 100), lambdas);
      RC_ASSERT(of_f < 1e-10);
      RC_ASSERT(of_energy < 1e-10);
    }));
  }
}

TEST(Proposition1, DoesNotHoldForTanh) {
  EXPECT_GT(changes(Activation::tanh, 1, {0.01, 0.1, 1.0}).first, 1e-3);
}

/// The same scaling seen by the library's own activations: s(c y) = c s(y).
TEST(Proposition1, ActivationsAreSelfSimilarAndZeroAtZero) {
  const auto check = [](Activation activation, auto&& s) {
    EXPECT_EQ(s(0.0), 0.0);
    if (activation == Activation::tanh) return;
    for (const double y : {-2.0, -0.3, 0.7, 5.0}) {
      for (const double c : {0.0, 0.1, 7.0}) EXPECT_NEAR(s(c * y), c * s(y), 1e-14);
    }
  };
  for (const Activation activation : activations) {
    with_activation(activation, [&]<Activation A>() { check(A, [](double y) { return activate<A>(y); }); });
  }
}

}  // namespace
}  // namespace coppice
