#pragma once

#include "coppice/core/choices.h"

#include <cstddef>
#include <vector>

namespace coppice {

/// The penalty: lambda_l times the sum over the fan-ins (fan-outs) in layer l's weights of their p-norm. Fan-outs are
/// those of the units below, the inputs among them.
struct Regularizer {
  Fan fan = Fan::fan_in;
  std::size_t power = 2;              ///< p: 2 takes whole units away, 1 single weights
  std::vector<double> layer_factors;  ///< lambda_l / lambda of every layer of weights; empty: all 1

  double factor(std::size_t layer) const { return layer_factors.empty() ? 1 : layer_factors[layer]; }
  /// Fan-ins as wholes: all that AdaRad's radial step can shrink.
  bool shortens_fan_ins() const { return fan == Fan::fan_in && power == 2; }
};

}  // namespace coppice
