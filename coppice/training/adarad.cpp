#include "coppice/training/adarad.h"

#include "coppice/device/adarad_unit.h"
#include "coppice/network/passes.h"
#include "coppice/training/angular_average.h"

#include <cmath>
#include <utility>

namespace coppice {

template <class T>
bool AdaRad<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                     const StepSizes& all_sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const {
  dead.resize(network.layers.size() - 1);
  std::vector<RowScale>& scales = workspace.scales;
  state.largest_average *= all_sizes.peak_decay;
  for (std::size_t l = network.layers.size(); l-- > 0;) {
    Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& gradient = workspace.layers[l].weight_gradient;
    const std::size_t units = weights.rows();
    const std::vector<RowDots>& dots = workspace.dots;
    if (!measure_units(pool, std::as_const(weights), gradient, beta_, l, state, workspace.dots)) return false;
    StepSizes of_layer = all_sizes;
    of_layer.shrinkage *= regularizer_.factor(l);
    const typename OptimizerStateOf<T>::LayerState& layer = state.layers[l];
    const double norm = angular_norm(of_layer, state.largest_average, state.largest_capacity);
    std::vector<std::size_t>* gone = l < dead.size() ? &dead[l] : nullptr;
    if (gone != nullptr) gone->clear();
    scales.resize(units);
    const auto scale_of = [&](std::size_t j) {
      const double own = angular_size(layer.average[j], layer.capacity[j], epsilon_, of_layer,
                                      state.largest_average, state.largest_capacity);
      return of_layer.angular * norm / own;
    };
    tally_units(workspace, network.layers.size(), l, of_layer,
                [&](std::size_t j) { return scale_of(j) * std::sqrt(angular_square(dots[j])); });
    step_units(units, of_layer, gone, [&](std::size_t j, const StepSizes& sizes) {
      scales[j] = adarad_unit_step(dots[j], scale_of(j), sizes);
      lengthen_seen(state, l, j, dots[j], sizes);
      return scales[j].a == 0 && scales[j].b == 0;
    });
    for_unit_tiles(pool, units, [&](std::size_t first, std::size_t count) {
      combine_rows(weights.view().block(first, count), gradient.view().block(first, count),
                   std::span<const RowScale>(scales).subspan(first, count));
    });
  }
  return true;
}

template class AdaRad<float>;
template class AdaRad<double>;

}  // namespace coppice
