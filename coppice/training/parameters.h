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
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    Layer<T>& layer = network.layers[l];
    typename OptimizerStateOf<T>::LayerState& numbers = state.layers[l];
    const LayerBuffers<T>& buffers = workspace.layers[l];
    for_unit_tiles(pool, layer.weights.rows(), [&](std::size_t first, std::size_t count) {
      const auto cut = [&]<class M>(M& matrix) {
        return matrix.empty() ? decltype(matrix.view()){} : matrix.view().block(first, count);
      };
      const auto call = [&](Matrix<T>& values, const Matrix<T>& gradient, Matrix<T>& mean,
                            Matrix<T>& square) {
        body(ParameterTile<T>{.layer = l,
                              .first = first,
                              .count = count,
                              .values = cut(values),
                              .gradient = cut(gradient),
                              .mean = cut(mean),
                              .square = cut(square)});
      };
      call(layer.weights, buffers.weight_gradient, numbers.mean, numbers.square);
      if (layer.affine.empty()) return;
      call(layer.affine, buffers.affine_gradient, numbers.affine_mean, numbers.affine_square);
    });
  }
}

}  // namespace coppice
