#include "coppice/analysis/contributions.h"

#include "coppice/core/random.h"
#include "coppice/network/network.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace coppice {
namespace {

FoldedNet random_net(std::vector<std::size_t> hidden, Activation activation, std::size_t inputs = 6,
                     double deviation = 0.4) {
  FoldedNet net;
  net.network = make_network<float>(
      {.inputs = inputs, .outputs = 2, .hidden = std::move(hidden), .activation = activation}, 11);
  net.network.offset = {0.25F, -1.0F};
  Random random(3, Purpose::generator);
  for (const Layer<float>& layer : net.network.layers) {
    std::vector<float>& mean = net.statistics.mean.emplace_back();
    for (std::size_t j = 0; j < layer.weights.rows(); ++j)
      mean.push_back(static_cast<float>(deviation * random.normal()));
    net.statistics.divisor.emplace_back(mean.size(), 1.0F);
  }
  return net;
}

std::vector<float> random_input(std::size_t inputs, std::uint64_t seed) {
  Random random(seed, Purpose::generator, 1);
  std::vector<float> x;
  for (std::size_t i = 0; i < inputs; ++i) x.push_back(static_cast<float>(2 * random.normal()));
  return x;
}

double activated(Activation activation, double y) {
  switch (activation) {
    case Activation::relu:
      return std::max(y, 0.0);
    case Activation::leaky_relu:
      return y > 0 ? y : 0.01 * y;
    case Activation::abs:
      return std::abs(y);
    case Activation::tanh:
      return std::tanh(y);
    default:
      return y;
  }
}

double output_at(const FoldedNet& net, std::vector<double> x, std::size_t output) {
  for (std::size_t l = 0; l < net.network.layers.size(); ++l) {
    const Matrix<float>& weights = net.network.layers[l].weights;
    std::vector<double> next;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      double y = -static_cast<double>(net.statistics.mean[l][j]);
      for (std::size_t i = 0; i < x.size(); ++i) y += weights(j, i) * x[i];
      next.push_back(l + 1 < net.network.layers.size() ? activated(net.network.activation, y) : y);
    }
    x = std::move(next);
  }
  return x[output] + net.network.offset[output];
}

std::vector<double> contributions(const FoldedNet& net, const std::vector<float>& x, std::size_t output) {
  std::vector<double> parts(x.size());
  Contributions(net).of(x, output, parts);
  return parts;
}

/// Gradients by differences at many points of the line.
std::vector<double> by_differences(const FoldedNet& net, const std::vector<float>& x, std::size_t output) {
  constexpr int steps = 4000;
  constexpr double nudge = 1e-6;
  std::vector<double> parts(x.size());
  for (int k = 0; k < steps; ++k) {
    std::vector<double> point;
    for (const float value : x) point.push_back((k + 0.5) / steps * value);
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::vector<double> up = point;
      std::vector<double> down = point;
      up[i] += nudge;
      down[i] -= nudge;
      parts[i] += (output_at(net, up, output) - output_at(net, down, output)) / (2 * nudge) * x[i] / steps;
    }
  }
  return parts;
}

constexpr Activation activations[] = {Activation::relu, Activation::leaky_relu, Activation::abs,
                                      Activation::tanh, Activation::identity};

TEST(Contributions, SumToTheOutputLessThatOfTheInputZero) {
  for (const Activation activation : activations) {
    for (const std::vector<std::size_t>& hidden :
         {std::vector<std::size_t>{}, {7}, {40, 20}, {9, 8, 7}, {5, 4, 6, 3}}) {
      const FoldedNet net = random_net(hidden, activation);
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::vector<float> x = random_input(6, seed);
        const std::vector<double> parts = contributions(net, x, seed % 2);
        const double zero = output_at(net, std::vector<double>(6), seed % 2);
        EXPECT_NEAR(Contributions(net).at_zero(seed % 2), zero, 1e-12);
        EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), zero),
                    output_at(net, {x.begin(), x.end()}, seed % 2), 1e-9)
            << hidden.size();
      }
    }
  }
}

TEST(Contributions, AreGradientsIntegratedAlongTheLine) {
  for (const Activation activation : activations) {
    for (const std::vector<std::size_t>& hidden :
         {std::vector<std::size_t>{7}, {12, 9}, {6, 5, 4}, {5, 4, 6, 3}}) {
      const FoldedNet net = random_net(hidden, activation);
      const std::vector<float> x = random_input(6, 4);
      const std::vector<double> exact = contributions(net, x, 1);
      const std::vector<double> differences = by_differences(net, x, 1);
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(exact[i], differences[i], 3e-3) << hidden.size() << i;
    }
  }
}

TEST(Contributions, OfALinearNetAreItsWeightsTimesTheInput) {
  const FoldedNet net = random_net({}, Activation::relu);
  const std::vector<float> x = random_input(6, 2);
  const std::vector<double> parts = contributions(net, x, 1);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_DOUBLE_EQ(parts[i], static_cast<double>(net.network.layers[0].weights(1, i)) * x[i]);
  const FoldedNet deep = random_net({5, 4}, Activation::identity);
  const std::vector<double> sums = contributions(deep, x, 0);
  std::vector<float> doubled = x;
  for (float& value : doubled) value *= 2;
  const std::vector<double> twice = contributions(deep, doubled, 0);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(twice[i], 2 * sums[i], 1e-12);
}

TEST(Contributions, UnitsThatBeginAtTheirKinkCount) {
  // Without means every unit of every layer stands at 0 when the line begins.
  const FoldedNet net = random_net({8, 6}, Activation::relu, 6, 0);
  const std::vector<float> x = random_input(6, 9);
  const std::vector<double> parts = contributions(net, x, 0);
  const std::vector<double> differences = by_differences(net, x, 0);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(parts[i], differences[i], 1e-6);
}

TEST(Contributions, FollowTheInputsWhateverTheirOrder) {
  FoldedNet net = random_net({12, 9}, Activation::relu);
  std::vector<float> x = random_input(6, 1);
  const std::vector<double> before = contributions(net, x, 0);
  std::swap(x[1], x[4]);
  for (std::size_t j = 0; j < 12; ++j)
    std::swap(net.network.layers[0].weights(j, 1), net.network.layers[0].weights(j, 4));
  std::vector<double> after = contributions(net, x, 0);
  std::swap(after[1], after[4]);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-12);
}

TEST(Contributions, AnInputOfZeroHasNone) {
  const FoldedNet net = random_net({12, 9}, Activation::relu);
  std::vector<float> x = random_input(6, 1);
  x[3] = 0;
  EXPECT_EQ(contributions(net, x, 0)[3], 0);
  for (const double part : contributions(net, std::vector<float>(6), 0)) EXPECT_EQ(part, 0);
}

}  // namespace
}  // namespace coppice
