// Proposition 1: with self-similar nonlinearities, one lambda per layer is the same as their geometric mean
// for all layers, after scaling W_l by lambda_l / lambda.
#include "tests/network/fixture.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

/// f without any CapNorm, by plain loops.
std::vector<double> plain_output(const Network<double>& network, std::span<const float> input) {
  std::vector<double> x(input.begin(), input.end());
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    std::vector<double> next;
    for (std::size_t j = 0; j < network.layers[l].weights.rows(); ++j) {
      double z = 0;
      for (std::size_t i = 0; i < x.size(); ++i) z += network.layers[l].weights(j, i) * x[i];
      switch (network.activation_of(l)) {
        case Activation::relu:
          z = std::max(0.0, z);
          break;
        case Activation::leaky_relu:
          z = z > 0 ? z : leaky_slope * z;
          break;
        case Activation::abs:
          z = std::abs(z);
          break;
        case Activation::tanh:
          z = std::tanh(z);
          break;
        case Activation::identity:
          break;
      }
      next.push_back(z);
    }
    x = std::move(next);
  }
  return x;
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

/// The largest relative change of f, and of the penalty, when W_l is scaled by lambda_l / lambda.
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
  double of_f = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const std::vector<double> a = plain_output(before, data.inputs.row(i));
    const std::vector<double> b = plain_output(network, data.inputs.row(i));
    for (std::size_t k = 0; k < a.size(); ++k)
      of_f = std::max(of_f, std::abs(a[k] - b[k]) / (1 + std::abs(a[k])));
  }
  const double old_penalty = penalty(before, lambdas);
  const double new_penalty = penalty(network, std::vector<double>(3, mean));
  return {of_f, std::abs(new_penalty - old_penalty) / old_penalty};
}

TEST(Proposition1, LambdasPerLayerEqualTheirGeometricMean) {
  for (const Activation activation : self_similar) {
    EXPECT_TRUE(rc::check("self-similar", [&] {
      std::vector<double> lambdas;
      for (int l = 0; l < 3; ++l) lambdas.push_back(std::pow(10.0, 0.01 * *rc::gen::inRange(-300, 0)));
      const auto [of_f, of_penalty] = changes(activation, *rc::gen::inRange<std::uint64_t>(0, 100), lambdas);
      RC_ASSERT(of_f < 1e-10);
      RC_ASSERT(of_penalty < 1e-10);
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
