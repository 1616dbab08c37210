#include "coppice/model/folding.h"

#include <cstddef>
#include <utility>

namespace coppice {

FoldedNet fold(Network<float> network, Statistics<float> statistics) {
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    Matrix<float>& weights = network.layers[l].weights;
    Matrix<float>& affine = network.layers[l].affine;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      const float divisor = statistics.divisor[l][j];
      for (float& weight : weights.row(j)) weight /= divisor;
      statistics.mean[l][j] /= divisor;
      statistics.divisor[l][j] = 1;
      if (affine.empty()) continue;
      for (float& weight : weights.row(j)) weight *= affine(j, 0);
      statistics.mean[l][j] = statistics.mean[l][j] * affine(j, 0) - affine(j, 1);
    }
    affine = {};
  }
  return {std::move(network), std::move(statistics)};
}

void widen(Network<float>& network, std::span<const std::uint32_t> inputs, std::size_t all) {
  Matrix<float>& weights = network.layers.front().weights;
  Matrix<float> wide(weights.rows(), all);
  for (std::size_t j = 0; j < weights.rows(); ++j) {
    for (std::size_t i = 0; i < inputs.size(); ++i) wide(j, inputs[i]) = weights(j, i);
  }
  weights = std::move(wide);
}

}  // namespace coppice
