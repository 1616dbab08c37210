#include "coppice/training/adarad_m.h"

#include "coppice/device/adarad_m_unit.h"
#include "coppice/network/passes.h"
#include "coppice/training/angular_average.h"

#include <cmath>
#include <utility>

namespace coppice {

namespace {

/// Takes the gradients' angular parts into the running means; `squares` become those of the means.
template <class T>
void mix_means(ThreadPool& pool, const Matrix<T>& weights, const Matrix<T>& gradient, double rate,
               typename OptimizerStateOf<T>::LayerState& layer, Workspace<T>& workspace) {
  const std::size_t units = weights.rows();
  workspace.mixes.resize(units);
  workspace.squares.resize(units);
  for (std::size_t j = 0; j < units; ++j) {
    workspace.mixes[j] = adarad_m_mix(workspace.dots[j], rate);
    layer.mean_capacity[j] = adarad_m_filled(workspace.dots[j], layer.mean_capacity[j], rate);
  }
  for_unit_tiles(pool, units, [&](std::size_t first, std::size_t count) {
    mix_rows(layer.mean.view().block(first, count), weights.view().block(first, count),
             gradient.view().block(first, count),
             std::span<const RowMix>(workspace.mixes).subspan(first, count),
             std::span(workspace.squares).subspan(first, count));
  });
}

}  // namespace

template <class T>
bool AdaRadM<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                      const StepSizes& all_sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const {
  dead.assign(network.layers.size() - 1, {});
  std::vector<RowTurn>& turns = workspace.turns;
  state.largest_average *= all_sizes.peak_decay;
  for (std::size_t l = network.layers.size(); l-- > 0;) {
    Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& gradient = workspace.layers[l].weight_gradient;
    typename OptimizerStateOf<T>::LayerState& layer = state.layers[l];
    const std::size_t units = weights.rows();
    const std::vector<RowDots>& dots = workspace.dots;
    if (!measure_units(pool, std::as_const(weights), gradient, beta_, l, state, workspace.dots)) return false;
    mix_means(pool, std::as_const(weights), gradient, mean_rate_, layer, workspace);
    StepSizes of_layer = all_sizes;
    of_layer.shrinkage *= regularizer_.factor(l);
    const double norm = angular_norm(of_layer, state.largest_average, state.largest_capacity);
    turns.assign(units, {});
    const auto scale_of = [&](std::size_t j) {
      if (dots[j].ww == 0) return 0.0;
      const double own = angular_size(layer.average[j], layer.capacity[j], epsilon_, of_layer,
                                      state.largest_average, state.largest_capacity);
      return of_layer.angular * norm / own / layer.mean_capacity[j];
    };
    tally_units(workspace, network.layers.size(), l, of_layer,
                [&](std::size_t j) { return scale_of(j) * std::sqrt(workspace.squares[j]); });
    step_units(
        units, of_layer, l < dead.size() ? &dead[l] : nullptr, [&](std::size_t j, const StepSizes& sizes) {
          if (dots[j].ww == 0) {  // a zero output unit: a plain gradient step, then shrinkage
            const RowScale plain = adarad_unit_step(dots[j], 0, sizes);
            combine_rows(weights.view().block(j, 1), gradient.view().block(j, 1), std::span(&plain, 1));
            return false;
          }
          lengthen_seen(state, l, j, dots[j], sizes);
          turns[j] = adarad_m_turn(dots[j], workspace.squares[j], scale_of(j), sizes);
          return turns[j].ww == 0 && turns[j].wm == 0;
        });
    for_unit_tiles(pool, units, [&](std::size_t first, std::size_t count) {
      turn_rows(weights.view().block(first, count), layer.mean.view().block(first, count),
                std::span<const RowTurn>(turns).subspan(first, count));
    });
  }
  return true;
}

template <class T>
void AdaRadM<T>::units_removed(ThreadPool& pool, const Network<T>& network, std::size_t layer,
                               OptimizerStateOf<T>& state) const {
  const Matrix<T>& weights = network.layers[layer + 1].weights;
  Matrix<T>& mean = state.layers[layer + 1].mean;
  std::vector<RowDots> dots(weights.rows());
  std::vector<RowScale> scales(weights.rows());
  for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
    row_dots(weights.view().block(first, count), std::as_const(mean).view().block(first, count),
             std::span(dots).subspan(first, count));
    for (std::size_t j = first; j < first + count; ++j) {
      scales[j] = {1, dots[j].ww == 0 ? 0 : -dots[j].gw / dots[j].ww};
    }
    combine_rows(mean.view().block(first, count), weights.view().block(first, count),
                 std::span<const RowScale>(scales).subspan(first, count));
  });
}

template class AdaRadM<float>;
template class AdaRadM<double>;

}  // namespace coppice
