#pragma once

#include "coppice/device/adarad_unit.h"
#include "coppice/network/passes.h"
#include "coppice/training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace coppice {

// What AdaRad and AdaRad-M share.

/// The dot products of a layer's units, the running means of their |phi|^2 and the largest there were in the net; false
/// if a gradient or a fan-in is not finite.
template <class T>
bool measure_units(ThreadPool& pool, const Matrix<T>& weights, const Matrix<T>& gradient, double beta,
                   std::size_t l, OptimizerStateOf<T>& state, std::vector<RowDots>& dots) {
  dots.resize(weights.rows());
  for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
    row_dots(weights.view().block(first, count), gradient.view().block(first, count),
             std::span(dots).subspan(first, count));
  });
  typename OptimizerStateOf<T>::LayerState& layer = state.layers[l];
  for (std::size_t j = 0; j < dots.size(); ++j) {
    if (!std::isfinite(dots[j].gg) || !std::isfinite(dots[j].ww)) return false;
    layer.average[j] = (1 - beta) * layer.average[j] + beta * angular_square(dots[j]);
    layer.capacity[j] = (1 - beta) * layer.capacity[j] + beta;
    state.largest_average = std::max(state.largest_average, layer.average[j]);
    state.largest_capacity = std::max(state.largest_capacity, layer.capacity[j]);
  }
  return true;
}

/// Counts what the step does to the units of layer l; angle(j): by how much unit j turns.
template <class T, class Angle>
void tally_units(Workspace<T>& workspace, std::size_t layers, std::size_t l, const StepSizes& sizes,
                 const Angle& angle) {
  workspace.tallies.resize(layers);
  for (std::size_t j = 0; j < workspace.dots.size(); ++j)
    workspace.tallies[l] += tally_of(workspace.dots[j], angle(j), sizes);
}

/// What CapNorm remembers is of inputs that grow with the unit's fan-in, so a radial step is taken by it, too. Not by that of a unit
/// that ends.
template <class T>
void lengthen_seen(OptimizerStateOf<T>& state, std::size_t l, std::size_t j, const RowDots& dots,
                   const StepSizes& sizes) {
  if (state.seen.empty() || dots.ww == 0) return;
  const RadialStep step = adarad_radial_step(dots, sizes);
  const double factor = step.k * step.rho;
  if (factor == 0) return;
  SeenUnit& seen = state.seen[l][j];
  seen.mean *= factor;
  seen.variance *= factor * factor;
}

/// Calls step(j, sizes) for every unit of a layer; true: the step ends it. If the layer is hidden, `dead` names those
/// units; the one that stays takes the step without shrinkage.
template <class Step>
void step_units(std::size_t units, const StepSizes& sizes, std::vector<std::size_t>* dead, const Step& step) {
  for (std::size_t j = 0; j < units; ++j) {
    if (!step(j, sizes) || dead == nullptr) continue;
    if (eliminate(j, units, *dead)) continue;
    StepSizes unshrunk = sizes;
    unshrunk.shrinkage = 0;
    step(j, unshrunk);
  }
}

}  // namespace coppice
