#include "coppice/training/adarad.h"

#include "coppice/network/passes.h"
#include "coppice/training/regularizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice {

namespace {

/// Below this share of |g|^2, what is left of |phi|^2 is rounding. Normalised like any other angular part it
/// would turn a fan-in of one weight, which has no angle, by as much as its neighbours.
constexpr double rounding = 1e-12;

/// |phi|^2; a zero fan-in has no direction to turn.
double angular_square(const RowDots& dots) {
  if (dots.ww == 0) return 0;
  const double square = dots.gg - dots.gw * dots.gw / dots.ww;
  return square > rounding * dots.gg ? square : 0;
}

/// The two numbers of w <- a w + b g for one unit. `scale`: what |phi| is multiplied by to give the angle.
RowScale unit_step(const RowDots& dots, double scale, const StepSizes& sizes) {
  if (dots.ww == 0) {  // a zero output unit: a plain gradient step, then shrinkage
    const double length = sizes.radial * std::sqrt(dots.gg);
    return {0, -sizes.radial * group_shrinkage(length, sizes.shrinkage)};
  }
  const double c = dots.gw / dots.ww;
  const double phi = std::sqrt(angular_square(dots));
  const double rho = 1 - sizes.radial * c;
  const double length = std::abs(rho) * std::sqrt(dots.ww);
  const double k = group_shrinkage(length, sizes.shrinkage);
  if (phi == 0) return {k * rho, 0};
  const double theta = scale * phi;
  const double turn = length * std::sin(theta) / phi;
  return {k * (rho * std::cos(theta) + turn * c), -k * turn};
}

}  // namespace

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
    const double norm = std::sqrt(state.largest_average / state.largest_capacity);
    const bool hidden = l + 1 < network.layers.size();
    if (hidden) dead[l].clear();
    for (std::size_t j = 0; j < dots.size(); ++j) {
      const double own = std::sqrt(layer.average[j] / layer.capacity[j]) + epsilon_;
      const double scale = sizes.angular * norm / own;
      scales[j] = unit_step(dots[j], scale, sizes);
      const bool gone = hidden && scales[j].a == 0 && scales[j].b == 0;
      if (!gone) continue;
      if (dead[l].size() + 1 < dots.size()) {
        dead[l].push_back(j);
      } else {  // a hidden layer never falls below one unit: the last one is not shrunk
        StepSizes unshrunk = sizes;
        unshrunk.shrinkage = 0;
        scales[j] = unit_step(dots[j], scale, unshrunk);
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
