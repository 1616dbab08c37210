#include "coppice/network/evaluate.h"
#include "coppice/network/gradient.h"

#include "tests/network/gradient_check.h"

#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice {
namespace {

constexpr double h = 1e-5;

/// The loss of the net's scores, and the side of each kink on which the batch lies.
std::pair<double, std::vector<bool>> loss_of(const Network<double>& network, Workspace<double>& workspace) {
  ThreadPool pool(1);
  const double loss = compute_gradient(pool, network, 1.0, workspace).loss;
  return {loss, sides(network, workspace)};
}

/// Moves one number of the net there and back; the derivative of the loss, if no kink lies between.
template <class T>
std::optional<double> difference(const Network<double>& network, T& number, Workspace<double>& workspace) {
  const T value = number;
  number = value + h;
  const auto [up, above] = loss_of(network, workspace);
  number = value - h;
  const auto [down, below] = loss_of(network, workspace);
  number = value;
  if (above != below) return std::nullopt;
  return (up - down) / (2 * h);
}

TEST(GradientOfScalars, OffsetsOfKinksAgreeWithFiniteDifferences) {
  std::size_t checked = 0;
  for (const Activation activation : {Activation::relu, Activation::leaky_relu, Activation::tanh}) {
    for (const bool weighted : {false, true}) {
      Network<double> network = uneven_network<double>(
          {.inputs = 3, .outputs = 3, .hidden = {6, 5}, .activation = activation, .kinks = 1}, 7);
      Dataset data = random_dataset(31, 3, 3, 7);
      for (std::size_t i = 0; weighted && i < 31; ++i)
        data.weights.push_back(0.5F * static_cast<float>(1 + i % 5));
      Workspace<double> workspace = batch_of<double>(data);
      workspace.kinks_learn = true;
      loss_of(network, workspace);
      std::vector<std::vector<double>> gradients;
      for (const LayerBuffers<double>& buffers : workspace.layers) gradients.push_back(buffers.kink_gradient);
      EXPECT_TRUE(gradients.back().empty()) << "outputs have no kinks";
      bool divides = false;
      bool leaves = false;
      for (std::size_t l = 0; l < 2; ++l) {
        ASSERT_EQ(gradients[l].size(), network.layers[l].kinks.size());
        for (std::size_t j = 0; j < gradients[l].size(); ++j) {
          (workspace.layers[l].divisor[j] > 1 ? divides : leaves) = true;
          const std::optional<double> expected = difference(network, network.layers[l].kinks[j], workspace);
          if (!expected) continue;
          EXPECT_NEAR(gradients[l][j], *expected, 1e-6 * (1 + std::abs(*expected)))
              << static_cast<int>(activation) << ": layer " << l << " unit " << j;
          ++checked;
        }
      }
      EXPECT_TRUE(divides && leaves) << "both forms of CapNorm";
    }
  }
  EXPECT_GT(checked, 50U);
}

/// The factor itself by its logarithm, and every weight below a factor that is not 1.
TEST(GradientOfScalars, AFactorOnTheOutputsAgreesWithFiniteDifferences) {
  for (const std::size_t classes : {0U, 3U}) {
    Network<double> network =
        uneven_network<double>({.inputs = 3, .outputs = std::max<std::size_t>(1, classes), .hidden = {4}}, 5);
    network.output_scale = 2.5;
    Workspace<double> workspace = batch_of<double>(random_dataset(23, 3, classes, 3));
    workspace.output_scale_learns = true;
    loss_of(network, workspace);
    const double gradient = workspace.output_scale_gradient;
    const std::vector<Matrix<double>> of_weights{workspace.layers[0].weight_gradient,
                                                 workspace.layers[1].weight_gradient};
    EXPECT_NEAR(gradient, network.output_scale * difference(network, network.output_scale, workspace).value(),
                1e-6);
    std::size_t checked = 0;
    for (std::size_t l = 0; l < 2; ++l) {
      Matrix<double>& weights = network.layers[l].weights;
      for (std::size_t j = 0; j < weights.rows(); ++j) {
        for (double& weight : weights.row(j)) {
          const auto i = static_cast<std::size_t>(&weight - weights.row(j).data());
          const std::optional<double> expected = difference(network, weight, workspace);
          if (!expected) continue;
          EXPECT_NEAR(of_weights[l](j, i), *expected, 1e-6 * (1 + std::abs(*expected)));
          ++checked;
        }
      }
    }
    EXPECT_GT(checked, 10U);
  }
}

/// A trained net has the factor in its numbers: its loss is that of the batch that they were measured over.
TEST(OutputScale, IsPartOfATrainedNetsNumbers) {
  ThreadPool pool(1);
  const Dataset data = random_dataset(60, 3, 3, 4);
  Network<double> network = uneven_network<double>({.inputs = 3, .outputs = 3, .hidden = {4}}, 6);
  network.offset = {-1, -1.2, -1.1};
  network.output_scale = 3;
  Workspace<double> workspace = batch_of<double>(data);
  workspace.output_scale_learns = true;
  const LossSum batch = compute_gradient(pool, network, 1.0, workspace);
  const Statistics<double> fixed = measure_statistics(pool, network, data, all_rows(data), workspace);
  const LossSum trained = evaluate(pool, network, fixed, data, all_rows(data), workspace);
  EXPECT_NEAR(trained.loss, batch.loss, 1e-9 * batch.loss);
  network.output_scale = 1;
  EXPECT_GT(std::abs(compute_loss(pool, network, workspace).loss - batch.loss), 1e-3);
}

}  // namespace
}  // namespace coppice
