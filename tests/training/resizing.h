#pragma once

#include "coppice/network/resize.h"
#include "coppice/training/optimizer.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace coppice {

/// Removes dead units from network and state, and tells the optimizer.
template <class T>
void bury(Network<T>& network, OptimizerStateOf<T>& state, const DeadUnits& dead,
          const Optimizer<T>& optimizer) {
  ThreadPool pool(1);
  for (std::size_t l = 0; l < dead.size(); ++l) {
    if (dead[l].empty()) continue;
    ResizePlan plan{.layer = l, .keep = {}, .added = {}};
    for (std::size_t j = 0; j < network.layers[l].units.size(); ++j) {
      if (!std::ranges::binary_search(dead[l], j)) plan.keep.push_back(j);
    }
    resize(network, plan);
    state.resize(plan);
    optimizer.units_removed(pool, network, l, state);
  }
}

/// Adds a unit with a random fan-in to every hidden layer, from the last to the first; `added` is told of each.
template <class T, class Added>
void grow(Network<T>& network, OptimizerStateOf<T>& state, std::uint32_t id, const Added& added) {
  for (std::size_t l = network.layers.size() - 1; l-- > 0;) {
    ResizePlan plan{
        .layer = l, .keep = std::vector<std::size_t>(network.layers[l].units.size()), .added = {id}};
    std::iota(plan.keep.begin(), plan.keep.end(), std::size_t{0});
    resize(network, plan);
    state.resize(plan);
    const std::span<T> fan_in = network.layers[l].weights.row(plan.keep.size());
    draw_fan_in(fan_in, Birth::added, 5, l, id);
    added(l, std::vector<double>(fan_in.begin(), fan_in.end()));
  }
}

/// Rows of the gradients in a workspace.
template <class T>
std::vector<std::vector<std::vector<double>>> gradients_of(const Workspace<T>& workspace) {
  std::vector<std::vector<std::vector<double>>> gradients;
  for (const LayerBuffers<T>& buffers : workspace.layers) {
    gradients.emplace_back();
    for (std::size_t j = 0; j < buffers.weight_gradient.rows(); ++j) {
      const std::span<const T> row = buffers.weight_gradient.row(j);
      gradients.back().emplace_back(row.begin(), row.end());
    }
  }
  return gradients;
}

}  // namespace coppice
