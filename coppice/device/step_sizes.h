#pragma once

#include "coppice/core/elementary.h"
#include "coppice/device/host_device.h"

#include <cmath>

namespace coppice {

/// The numbers of one step of an optimizer that change over a run.
struct StepSizes {
  double angular = 0;  ///< alpha_phi, or the angle that a unit turns by
  double radial = 0;   ///< alpha_r; alpha of optimizers that turn nothing
  double shrinkage =
      0;  ///< alpha_r * lambda * B / n: how much the regularizer takes off each fan-in's length
  bool by_angle = false;        ///< `angular` is an angle
  double trust = 0;             ///< c: the radial factor stays in [1/c, c]; 0: it may be anything
  double relative_epsilon = 0;  ///< added to what normalises an angular part, as a share of the net's largest
  bool relative_shrinkage = false;  ///< a fan-in longer than 1 loses `shrinkage` of each of its lengths
  bool exponential = false;         ///< RadialRule::exponential
  double peak_decay = 1;  ///< what the net's largest mean angular part is multiplied by before a step
};

#ifdef __CUDACC__
COPPICE_HOST_DEVICE inline double exponential_of(double x) {
  return std::exp(x);
}
#else
inline double exponential_of(double x) {
  return elementary::exp(x);
}
#endif

/// What a step multiplies a length by, before it is shrunk: 1 - alpha_r c. Exponential: exp(-alpha_r c) where that is below
/// 1, so that it is never negative.
COPPICE_HOST_DEVICE inline double radial_factor(double c, const StepSizes& sizes) {
  const double share = sizes.radial * c;
  return sizes.exponential && share > 0 ? exponential_of(-share) : 1 - share;
}

/// A radial factor, kept where it is trusted.
COPPICE_HOST_DEVICE inline double trusted(double factor, const StepSizes& sizes) {
  if (sizes.trust == 0) return factor;
  const double least = 1 / sizes.trust;
  return factor < least ? least : factor > sizes.trust ? sizes.trust : factor;
}

/// What shrinks a fan-in of this length. Relative: the longer, the more, so that one whose length has exploded is not
/// there for ever.
COPPICE_HOST_DEVICE inline double shrinkage_of(double length, const StepSizes& sizes) {
  return sizes.relative_shrinkage && length > 1 ? sizes.shrinkage * length : sizes.shrinkage;
}

/// Group shrinkage of the l2 fan-in regularizer: the factor k by which a fan-in of this length is shortened,
///   k = max(0, 1 - amount / length),  amount = alpha_r * lambda * B / n.
/// It keeps the direction; at 0 the unit is gone.
COPPICE_HOST_DEVICE inline double group_shrinkage(double length, double amount) {
  if (amount <= 0) return 1;
  return length > amount ? 1 - amount / length : 0;
}

}  // namespace coppice
