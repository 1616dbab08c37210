#pragma once

#include "coppice/device/host_device.h"

namespace coppice {

/// Group shrinkage of the l2 fan-in regularizer: the factor k by which a fan-in of this length is shortened,
///   k = max(0, 1 - amount / length),  amount = alpha_r * lambda * B / n.
/// It keeps the direction; at 0 the unit is gone.
COPPICE_HOST_DEVICE inline double group_shrinkage(double length, double amount) {
  if (amount <= 0) return 1;
  return length > amount ? 1 - amount / length : 0;
}

}  // namespace coppice
