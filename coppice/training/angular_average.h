#pragma once

#include "coppice/device/adarad_unit.h"
#include "coppice/training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace coppice {

/// The running means of |phi|^2 of a layer and the largest there were in the net; false if a gradient or a fan-in is
/// not finite. Shared by AdaRad and AdaRad-M.
template <class T>
bool average_angular_squares(std::span<const RowDots> dots, double beta,
                             typename OptimizerStateOf<T>::LayerState& layer, OptimizerStateOf<T>& state) {
  for (std::size_t j = 0; j < dots.size(); ++j) {
    if (!std::isfinite(dots[j].gg) || !std::isfinite(dots[j].ww)) return false;
    layer.average[j] = (1 - beta) * layer.average[j] + beta * angular_square(dots[j]);
    layer.capacity[j] = (1 - beta) * layer.capacity[j] + beta;
    state.largest_average = std::max(state.largest_average, layer.average[j]);
    state.largest_capacity = std::max(state.largest_capacity, layer.capacity[j]);
  }
  return true;
}

}  // namespace coppice
