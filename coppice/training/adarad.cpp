#include "coppice/training/adarad.h"

#include "coppice/device/adarad_unit.h"
#include "coppice/network/passes.h"
#include "coppice/training/angular_average.h"

#include <cmath>
#include <utility>

namespace coppice {

template <class T>
OptimizerStateOf<T> AdaRad<T>::start(const Network<T>& network) const {
  return zero_state(network);
}

template <class T>
bool AdaRad<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                     const StepSizes& all_sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const {
  dead.resize(network.layers.size() - 1);
  std::vector<RowDots>& dots = workspace.dots;
  std::vector<RowScale>& scales = workspace.scales;
  for (std::size_t l = network.layers.size(); l-- > 0;) {
    Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& gradient = workspace.layers[l].weight_gradient;
    StepSizes sizes = all_sizes;
    sizes.shrinkage *= regularizer_.factor(l);
    typename OptimizerStateOf<T>::LayerState& layer = state.layers[l];
    dots.resize(weights.rows());
    scales.resize(weights.rows());
    for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
      row_dots(std::as_const(weights).view().block(first, count), gradient.view().block(first, count),
               std::span(dots).subspan(first, count));
    });
    if (!average_angular_squares<T>(dots, beta_, layer, state)) return false;
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
