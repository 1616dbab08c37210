#include "coppice/training/adarad.h"

#include "coppice/device/adarad_unit.h"
#include "coppice/network/passes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice {

template <class T>
OptimizerState AdaRad<T>::start(const Network<T>& network) const {
  return zero_state(network);
}

template <class T>
bool AdaRad<T>::average(std::span<const RowDots> dots, OptimizerState::LayerState& layer,
                        OptimizerState& state) const {
  for (std::size_t j = 0; j < dots.size(); ++j) {
    if (!std::isfinite(dots[j].gg) || !std::isfinite(dots[j].ww)) return false;
    layer.average[j] = (1 - beta_) * layer.average[j] + beta_ * angular_square(dots[j]);
    layer.capacity[j] = (1 - beta_) * layer.capacity[j] + beta_;
    state.largest_average = std::max(state.largest_average, layer.average[j]);
    state.largest_capacity = std::max(state.largest_capacity, layer.capacity[j]);
  }
  return true;
}

template <class T>
bool AdaRad<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace, const StepSizes& sizes,
                     OptimizerState& state, DeadUnits& dead) const {
  dead.resize(network.layers.size() - 1);
  std::vector<RowDots>& dots = workspace.dots;
  std::vector<RowScale>& scales = workspace.scales;
  for (std::size_t l = network.layers.size(); l-- > 0;) {
    Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& gradient = workspace.layers[l].weight_gradient;
    OptimizerState::LayerState& layer = state.layers[l];
    dots.resize(weights.rows());
    scales.resize(weights.rows());
    for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
      row_dots(std::as_const(weights).view().block(first, count), gradient.view().block(first, count),
               std::span(dots).subspan(first, count));
    });
    if (!average(dots, layer, state)) return false;
    const double norm = angular_norm(sizes, state.largest_average, state.largest_capacity);
    const bool hidden = l + 1 < network.layers.size();
    if (hidden) dead[l].clear();
    for (std::size_t j = 0; j < dots.size(); ++j) {
      const double own = std::sqrt(layer.average[j] / layer.capacity[j]) + epsilon_;
      const double scale = sizes.angular * norm / own;
      scales[j] = adarad_unit_step(dots[j], scale, sizes);
      const bool gone = hidden && scales[j].a == 0 && scales[j].b == 0;
      if (!gone) continue;
      if (dead[l].size() + 1 < dots.size()) {
        dead[l].push_back(j);
      } else {  // a hidden layer never falls below one unit: the last one is not shrunk
        StepSizes unshrunk = sizes;
        unshrunk.shrinkage = 0;
        scales[j] = adarad_unit_step(dots[j], scale, unshrunk);
      }
    }
    for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
      combine_rows(weights.view().block(first, count), gradient.view().block(first, count),
                   std::span<const RowScale>(scales).subspan(first, count));
    });
  }
  return true;
}

template class AdaRad<float>;
template class AdaRad<double>;

}  // namespace coppice
