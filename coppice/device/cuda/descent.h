#pragma once

#include "coppice/core/choices.h"
#include "coppice/device/cuda/unit_steps.h"

namespace coppice::cuda {

/// One step of gradient descent for all weights, free variances and means of all nets; NetStep::radial is its length.
struct DescentStep {
  UnitSteps all{};
  OptimizerKind rule =
      OptimizerKind::sgd;  ///< one that moves each weight by itself (coppice/device/weight_rows.h)
  double mean_rate = 0;    ///< of running means of gradients
  double square_rate = 0;  ///< of running means of squares
  double epsilon = 0;
};
void descend(const DescentStep& step, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
