#pragma once

#include "coppice/device/host_device.h"

namespace coppice {

/// The numbers of one step of an optimizer that change over a run.
struct StepSizes {
  double angular = 0;  ///< alpha_phi, or the angle that a unit turns by
  double radial = 0;   ///< alpha_r; alpha of optimizers that turn nothing
  double shrinkage =
      0;  ///< alpha_r * lambda * B / n: how much the regularizer takes off each fan-in's length
  bool by_angle = false;  ///< `angular` is an angle
};

/// Group shrinkage of the l2 fan-in regularizer: the factor k by which a fan-in of this length is shortened,
///   k = max(0, 1 - amount / length),  amount = alpha_r * lambda * B / n.
/// It keeps the direction; at 0 the unit is gone.
COPPICE_HOST_DEVICE inline double group_shrinkage(double length, double amount) {
  if (amount <= 0) return 1;
  return length > amount ? 1 - amount / length : 0;
}

}  // namespace coppice
