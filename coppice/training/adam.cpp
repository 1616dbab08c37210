#include "coppice/training/adam.h"

#include "coppice/device/weight_rows.h"
#include "coppice/training/parameters.h"

namespace coppice {

namespace {

template <class T>
void add_squares(const Network<T>& network, OptimizerStateOf<T>& state) {
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& affine = network.layers[l].affine;
    state.layers[l].square = Matrix<T>(weights.rows(), weights.cols());
    state.layers[l].affine_square = Matrix<T>(affine.rows(), affine.cols());
  }
}

/// RMSprop is Adam without running means of gradients.
template <class T>
void move_all(ThreadPool& pool, Network<T>& network, const Workspace<T>& workspace, const AdamStep& step,
              OptimizerStateOf<T>& state) {
  std::vector<std::vector<RowFilled>> filled(state.layers.size());
  for (std::size_t l = 0; l < state.layers.size(); ++l) {
    typename OptimizerStateOf<T>::LayerState& layer = state.layers[l];
    const bool means = !layer.mean.empty();
    for (std::size_t j = 0; j < layer.capacity.size(); ++j) {
      layer.capacity[j] = (1 - step.square_rate) * layer.capacity[j] + step.square_rate;
      if (means) layer.mean_capacity[j] = (1 - step.mean_rate) * layer.mean_capacity[j] + step.mean_rate;
      filled[l].push_back({.mean = means ? layer.mean_capacity[j] : 1, .square = layer.capacity[j]});
    }
  }
  for_parameters(pool, network, workspace, state, [&](const ParameterTile<T>& tile) {
    adam_rows(tile.values, tile.mean, tile.square, tile.gradient, step,
              std::span<const RowFilled>(filled[tile.layer]).subspan(tile.first, tile.count));
  });
}

}  // namespace

template <class T>
OptimizerStateOf<T> RmsProp<T>::start(const Network<T>& network) const {
  OptimizerStateOf<T> state = zero_state(network);
  add_squares(network, state);
  return state;
}

template <class T>
bool RmsProp<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace, const StepSizes& sizes,
                      OptimizerStateOf<T>& state, DeadUnits& dead) const {
  dead.assign(network.layers.size() - 1, {});
  move_all(pool, network, workspace,
           {.step = sizes.radial, .mean_rate = 1, .square_rate = square_rate_, .epsilon = epsilon_}, state);
  return true;
}

template <class T>
OptimizerStateOf<T> Adam<T>::start(const Network<T>& network) const {
  OptimizerStateOf<T> state = zero_state_with_means(network);
  add_squares(network, state);
  return state;
}

template <class T>
bool Adam<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace, const StepSizes& sizes,
                   OptimizerStateOf<T>& state, DeadUnits& dead) const {
  dead.assign(network.layers.size() - 1, {});
  move_all(pool, network, workspace,
           {.step = sizes.radial, .mean_rate = mean_rate_, .square_rate = square_rate_, .epsilon = epsilon_},
           state);
  return true;
}

template class RmsProp<float>;
template class RmsProp<double>;
template class Adam<float>;
template class Adam<double>;

}  // namespace coppice
