#include "coppice/training/adam.h"

#include "coppice/device/weight_rows.h"
#include "coppice/training/parameters.h"
#include "coppice/training/shrink.h"

namespace coppice {

template <class T>
bool RmsProp<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace, const StepSizes& sizes,
                      OptimizerStateOf<T>& state, DeadUnits& dead) const {
  dead.assign(network.layers.size() - 1, {});
  std::vector<std::vector<RowFilled>> filled(state.layers.size());
  for (std::size_t l = 0; l < state.layers.size(); ++l) {
    typename OptimizerStateOf<T>::LayerState& layer = state.layers[l];
    const bool means = !layer.mean.empty();
    for (std::size_t j = 0; j < layer.capacity.size(); ++j) {
      layer.capacity[j] = (1 - square_rate_) * layer.capacity[j] + square_rate_;
      if (means) layer.mean_capacity[j] = (1 - mean_rate_) * layer.mean_capacity[j] + mean_rate_;
      filled[l].push_back({.mean = means ? layer.mean_capacity[j] : 1, .square = layer.capacity[j]});
    }
  }
  const AdamStep step{
      .step = sizes.radial, .mean_rate = mean_rate_, .square_rate = square_rate_, .epsilon = epsilon_};
  for_parameters(pool, network, workspace, state, [&](const ParameterTile<T>& tile) {
    adam_rows(tile.values, tile.mean, tile.square, tile.gradient, step,
              std::span<const RowFilled>(filled[tile.layer]).subspan(tile.first, tile.count));
  });
  return shrink(pool, network, regularizer_, sizes.shrinkage, dead);
}

template class RmsProp<float>;
template class RmsProp<double>;

}  // namespace coppice
