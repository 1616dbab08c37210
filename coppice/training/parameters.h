#pragma once

#include "coppice/network/passes.h"
#include "coppice/training/optimizer.h"

#include <cstddef>

namespace coppice {

/// Some units' parameters with their gradients and what is remembered about them, one row per unit; views of what an
/// optimizer does not remember are empty.
template <class T>
struct ParameterTile {
  std::size_t layer = 0;
  std::size_t first = 0;  ///< unit of the layer
  std::size_t count = 0;
  View<T> values;
  View<const T> gradient;
  View<T> mean;
  View<T> square;
};

/// Calls body(tile) for all parameters: the weights of every layer, and free means and variances where there are such.
template <class T, class Body>
void for_parameters(ThreadPool& pool, Network<T>& network, const Workspace<T>& workspace,
                    OptimizerStateOf<T>& state, const Body& body) {
  const auto cut = [](Matrix<T>& matrix, std::size_t first, std::size_t count) {
    return matrix.empty() ? View<T>{} : matrix.view().block(first, count);
  };
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    Layer<T>& layer = network.layers[l];
    typename OptimizerStateOf<T>::LayerState& numbers = state.layers[l];
    const LayerBuffers<T>& buffers = workspace.layers[l];
    for_unit_tiles(pool, layer.weights.rows(), [&](std::size_t first, std::size_t count) {
      body(ParameterTile<T>{.layer = l,
                            .first = first,
                            .count = count,
                            .values = layer.weights.view().block(first, count),
                            .gradient = buffers.weight_gradient.view().block(first, count),
                            .mean = cut(numbers.mean, first, count),
                            .square = cut(numbers.square, first, count)});
      if (layer.affine.empty()) return;
      body(ParameterTile<T>{.layer = l,
                            .first = first,
                            .count = count,
                            .values = layer.affine.view().block(first, count),
                            .gradient = buffers.affine_gradient.view().block(first, count),
                            .mean = cut(numbers.affine_mean, first, count),
                            .square = cut(numbers.affine_square, first, count)});
    });
  }
}

}  // namespace coppice
