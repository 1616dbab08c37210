#include "coppice/training/adam.h"

#include "coppice/device/weight_rows.h"
#include "coppice/network/passes.h"

namespace coppice {

namespace {

template <class T>
void add_squares(const Network<T>& network, OptimizerStateOf<T>& state) {
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<T>& weights = network.layers[l].weights;
    state.layers[l].square = Matrix<T>(weights.rows(), weights.cols());
  }
}

/// RMSprop is Adam without running means of gradients.
template <class T>
void move_all(ThreadPool& pool, Network<T>& network, const Workspace<T>& workspace, const AdamStep& step,
              OptimizerStateOf<T>& state) {
  std::vector<RowFilled> filled;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    typename OptimizerStateOf<T>::LayerState& layer = state.layers[l];
    const bool means = !layer.mean.empty();
    const View<T> weights = network.layers[l].weights;
    const View<T> mean = means ? layer.mean.view() : View<T>{};
    const View<T> square = layer.square;
    const View<const T> gradient = workspace.layers[l].weight_gradient.view();
    filled.resize(weights.rows);
    for (std::size_t j = 0; j < weights.rows; ++j) {
      layer.capacity[j] = (1 - step.square_rate) * layer.capacity[j] + step.square_rate;
      if (means) layer.mean_capacity[j] = (1 - step.mean_rate) * layer.mean_capacity[j] + step.mean_rate;
      filled[j] = {.mean = means ? layer.mean_capacity[j] : 1, .square = layer.capacity[j]};
    }
    for_unit_tiles(pool, weights.rows, [&](std::size_t first, std::size_t count) {
      adam_rows(weights.block(first, count), means ? mean.block(first, count) : mean,
                square.block(first, count), gradient.block(first, count), step,
                std::span<const RowFilled>(filled).subspan(first, count));
    });
  }
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
