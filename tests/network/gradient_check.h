#pragma once

#include "tests/network/fixture.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {

/// Which side of each kink (activation at 0, cap at deviation 1) the network is on for this batch.
inline std::vector<bool> sides(const Network<double>& network, Workspace<double>& workspace) {
  std::vector<bool> all;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerBuffers<double>& buffers = workspace.layers[l];
    for (std::size_t j = 0; j < buffers.y.rows(); ++j) {
      all.push_back(buffers.divisor[j] > 1);
      if (l + 1 == network.layers.size() || network.activation == Activation::tanh) continue;
      for (const double y : std::as_const(buffers.y).row(j)) all.push_back(y > 0);
    }
  }
  return all;
}

struct GradientCheck {
  std::size_t checked = 0;
  std::size_t skipped = 0;  ///< a kink lies within the difference: the derivative is not defined there
};

/// Compares every weight's gradient of scale * loss with central differences.
inline GradientCheck check_gradient(Network<double> network, const Dataset& data, const std::string& what) {
  constexpr double h = 1e-5;
  constexpr double scale = 0.7;
  ThreadPool pool(1);
  Workspace<double> workspace = batch_of<double>(data);
  const LossSum sum = compute_gradient(pool, network, scale, workspace);
  EXPECT_DOUBLE_EQ(sum.loss, compute_loss(pool, network, workspace).loss) << what;
  std::vector<Matrix<double>> gradients;
  for (const LayerBuffers<double>& buffers : workspace.layers) gradients.push_back(buffers.weight_gradient);
  GradientCheck result;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    Matrix<double>& weights = network.layers[l].weights;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      for (std::size_t i = 0; i < weights.cols(); ++i) {
        const double value = weights(j, i);
        weights(j, i) = value + h;
        const double up = compute_loss(pool, network, workspace).loss;
        const std::vector<bool> above = sides(network, workspace);
        weights(j, i) = value - h;
        const double down = compute_loss(pool, network, workspace).loss;
        const std::vector<bool> below = sides(network, workspace);
        weights(j, i) = value;
        if (above != below) {
          ++result.skipped;
          continue;
        }
        ++result.checked;
        const double expected = scale * (up - down) / (2 * h);
        EXPECT_NEAR(gradients[l](j, i), expected, 1e-6 * (1 + std::abs(expected)))
            << what << ": layer " << l << " unit " << j << " weight " << i;
      }
    }
  }
  return result;
}

}  // namespace coppice
