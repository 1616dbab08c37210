#include "coppice/training/sgd.h"

#include "coppice/device/step_sizes.h"
#include "coppice/network/passes.h"
#include "coppice/training/shrink.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice {

namespace {

/// |w - step g|^2 from the dot products; rounding may leave it a little below zero.
double moved_square(const RowDots& dots, double step) {
  return dots.ww - 2 * step * dots.gw + step * step * dots.gg;
}

/// The two numbers of w <- a w + b g for every unit; `dead` gets those that end as zero if they are hidden. False if a
/// number was not finite.
bool shrunk_steps(std::span<const RowDots> dots, const StepSizes& sizes, std::span<RowScale> scales,
                  std::vector<std::size_t>* dead) {
  for (std::size_t j = 0; j < dots.size(); ++j) {
    const double square = moved_square(dots[j], sizes.radial);
    if (!std::isfinite(square)) return false;
    double k = group_shrinkage(std::sqrt(std::max(0.0, square)), sizes.shrinkage);
    if (dead != nullptr && k == 0 && !eliminate(j, dots.size(), *dead)) k = 1;
    scales[j] = {k, -k * sizes.radial};
  }
  return true;
}

}  // namespace

template <class T>
bool Sgd<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace, const StepSizes& sizes,
                  OptimizerStateOf<T>&, DeadUnits& dead) const {
  dead.assign(network.layers.size() - 1, {});
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& gradient = workspace.layers[l].weight_gradient;
    workspace.scales.assign(weights.rows(), {1, -sizes.radial});
    if (sizes.shrinkage > 0 && regularizer_.shortens_fan_ins()) {
      StepSizes own = sizes;
      own.shrinkage *= regularizer_.factor(l);
      workspace.dots.resize(weights.rows());
      for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
        row_dots(std::as_const(weights).view().block(first, count), gradient.view().block(first, count),
                 std::span(workspace.dots).subspan(first, count));
      });
      if (!shrunk_steps(workspace.dots, own, workspace.scales, l < dead.size() ? &dead[l] : nullptr))
        return false;
    }
    for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
      combine_rows(weights.view().block(first, count), gradient.view().block(first, count),
                   std::span<const RowScale>(workspace.scales).subspan(first, count));
    });
    Matrix<T>& affine = network.layers[l].affine;
    if (affine.empty()) continue;
    workspace.scales.assign(affine.rows(), {1, -sizes.radial});
    combine_rows(affine.view(), std::as_const(workspace.layers[l].affine_gradient).view(),
                 std::span<const RowScale>(workspace.scales));
  }
  if (!regularizer_.shortens_fan_ins()) return shrink(pool, network, regularizer_, sizes.shrinkage, dead);
  return true;
}

template class Sgd<float>;
template class Sgd<double>;

}  // namespace coppice
