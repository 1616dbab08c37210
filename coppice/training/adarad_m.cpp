#include "coppice/training/adarad_m.h"

#include "coppice/device/adarad_m_unit.h"
#include "coppice/network/passes.h"
#include "coppice/training/angular_average.h"

#include <cmath>
#include <utility>

namespace coppice {

namespace {

bool ends_unit(const RowTurn& turn) {
  return turn.ww == 0 && turn.wm == 0;
}

}  // namespace

template <class T>
OptimizerStateOf<T> AdaRadM<T>::start(const Network<T>& network) const {
  return zero_state_with_means(network);
}

template <class T>
bool AdaRadM<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                      const StepSizes& all_sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const {
  dead.assign(network.layers.size() - 1, {});
  std::vector<RowDots>& dots = workspace.dots;
  std::vector<RowMix> mix;
  std::vector<RowTurn> turns;
  std::vector<double> squares;
  for (std::size_t l = network.layers.size(); l-- > 0;) {
    Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& gradient = workspace.layers[l].weight_gradient;
    StepSizes sizes = all_sizes;
    sizes.shrinkage *= regularizer_.factor(l);
    typename OptimizerStateOf<T>::LayerState& layer = state.layers[l];
    const std::size_t units = weights.rows();
    const bool hidden = l + 1 < network.layers.size();
    dots.resize(units);
    for_unit_tiles(pool, units, [&](std::size_t first, std::size_t count) {
      row_dots(std::as_const(weights).view().block(first, count), gradient.view().block(first, count),
               std::span(dots).subspan(first, count));
    });
    if (!average_angular_squares<T>(dots, beta_, layer, state)) return false;
    mix.resize(units);
    squares.resize(units);
    for (std::size_t j = 0; j < units; ++j) {
      mix[j] = adarad_m_mix(dots[j], mean_rate_);
      layer.mean_capacity[j] = adarad_m_filled(dots[j], layer.mean_capacity[j], mean_rate_);
    }
    for_unit_tiles(pool, units, [&](std::size_t first, std::size_t count) {
      mix_rows(layer.mean.view().block(first, count), std::as_const(weights).view().block(first, count),
               gradient.view().block(first, count), std::span<const RowMix>(mix).subspan(first, count),
               std::span(squares).subspan(first, count));
    });
    const double norm = angular_norm(sizes, state.largest_average, state.largest_capacity);
    turns.assign(units, {});
    for (std::size_t j = 0; j < units; ++j) {
      if (dots[j].ww == 0) {  // a zero output unit: a plain gradient step, then shrinkage
        const RowScale plain = adarad_unit_step(dots[j], 0, sizes);
        combine_rows(weights.view().block(j, 1), gradient.view().block(j, 1), std::span(&plain, 1));
        continue;
      }
      const double own = std::sqrt(layer.average[j] / layer.capacity[j]) + epsilon_;
      const double scale = sizes.angular * norm / own / layer.mean_capacity[j];
      turns[j] = adarad_m_turn(dots[j], squares[j], scale, sizes);
      if (!hidden || !ends_unit(turns[j])) continue;
      if (dead[l].size() + 1 < units) {
        dead[l].push_back(j);
      } else {  // a hidden layer never falls below one unit: the last one is not shrunk
        StepSizes unshrunk = sizes;
        unshrunk.shrinkage = 0;
        turns[j] = adarad_m_turn(dots[j], squares[j], scale, unshrunk);
      }
    }
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
