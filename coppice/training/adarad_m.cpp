#include "coppice/training/adarad_m.h"

#include "coppice/device/adarad_unit.h"
#include "coppice/device/weight_rows.h"
#include "coppice/network/passes.h"
#include "coppice/training/angular_average.h"

#include <cmath>
#include <utility>

namespace coppice {

namespace {

/// What becomes of a unit's running mean.
RowMix mean_step(const RowDots& dots, double rate) {
  if (dots.ww == 0) return {.keep = 0, .w_share = 0, .g_share = 0};
  if (angular_square(dots) == 0) return {.keep = 1 - rate, .w_share = 0, .g_share = 0};
  return {.keep = 1 - rate, .w_share = -rate * dots.gw / dots.ww, .g_share = rate};
}

/// Both rotations and the shrinkage. `scale`: what |m| is multiplied by to give the angle.
RowTurn unit_turn(const RowDots& dots, double mean_square, double scale, const StepSizes& sizes) {
  const double length = std::sqrt(dots.ww);
  const double mean = std::sqrt(mean_square);
  const double rho = 1 - sizes.radial * dots.gw / dots.ww;
  const double k = group_shrinkage(std::abs(rho) * length, sizes.shrinkage);
  const double theta = scale * mean;
  if (theta == 0) return {.ww = k * rho, .wm = 0, .mw = 0, .mm = 1};
  const double sine = std::sin(theta);
  const double cosine = std::cos(theta);
  return {.ww = k * rho * cosine,
          .wm = -k * std::abs(rho) * length * sine / mean,
          .mw = std::copysign(sine * mean / length, rho * sine),
          .mm = cosine};
}

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
      mix[j] = mean_step(dots[j], mean_rate_);
      layer.mean_capacity[j] = dots[j].ww == 0 ? 0 : (1 - mean_rate_) * layer.mean_capacity[j] + mean_rate_;
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
      turns[j] = unit_turn(dots[j], squares[j], scale, sizes);
      if (!hidden || !ends_unit(turns[j])) continue;
      if (dead[l].size() + 1 < units) {
        dead[l].push_back(j);
      } else {  // a hidden layer never falls below one unit: the last one is not shrunk
        StepSizes unshrunk = sizes;
        unshrunk.shrinkage = 0;
        turns[j] = unit_turn(dots[j], squares[j], scale, unshrunk);
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
