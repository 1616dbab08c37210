#pragma once

#include "coppice/device/cuda/unit_steps.h"

#include <cstdint>

namespace coppice::cuda {

/// Rules that move each weight by itself (coppice/device/weight_rows.h has the formulas).
enum class Descent : std::uint8_t { sgd, momentum, nesterov, rmsprop, adam };

/// One step of gradient descent for all weights, free variances and means of all nets; NetStep::radial is its length.
struct DescentStep {
  UnitSteps all{};
  Descent rule = Descent::sgd;
  double mean_rate = 0;    ///< of running means of gradients
  double square_rate = 0;  ///< of running means of squares
  double epsilon = 0;
};
void descend(const DescentStep& step, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
