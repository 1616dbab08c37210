#pragma once

#include "coppice/device/host_device.h"
#include "coppice/device/regularizer.h"
#include "coppice/device/rows.h"

#include <cmath>

namespace coppice {

/// The numbers of one step that change over a run.
struct StepSizes {
  double angular = 0;  ///< alpha_phi, or the angle that a unit turns by
  double radial = 0;   ///< alpha_r
  double shrinkage =
      0;  ///< alpha_r * lambda * B / n: how much the regularizer takes off each fan-in's length
  bool by_angle = false;  ///< `angular` is an angle
};

/// The norm that all units' angular parts are brought to: with alpha_phi the largest there was, with an angle 1.
COPPICE_HOST_DEVICE inline double angular_norm(const StepSizes& sizes, double largest_average,
                                               double largest_capacity) {
  return sizes.by_angle ? 1 : std::sqrt(largest_average / largest_capacity);
}

/// |phi|^2 of AdaRad (training/adarad.h has the formulas). A zero fan-in has no direction to turn. Below a
/// certain share of |g|^2, what is left is rounding: normalised like any other angular part it would turn a
/// fan-in of one weight, which has no angle, by as much as its neighbours.
COPPICE_HOST_DEVICE inline double angular_square(const RowDots& dots) {
  constexpr double rounding = 1e-12;
  if (dots.ww == 0) return 0;
  const double square = dots.gg - dots.gw * dots.gw / dots.ww;
  return square > rounding * dots.gg ? square : 0;
}

/// The two numbers of w <- a w + b g for one unit. `scale`: what |phi| is multiplied by to give the angle.
COPPICE_HOST_DEVICE inline RowScale adarad_unit_step(const RowDots& dots, double scale,
                                                     const StepSizes& sizes) {
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

/// Whether both of those numbers are zero, so that the step ends the unit; that does not depend on the angle.
COPPICE_HOST_DEVICE inline bool adarad_ends_unit(const RowDots& dots, const StepSizes& sizes) {
  if (dots.ww == 0) {
    return sizes.radial * group_shrinkage(sizes.radial * std::sqrt(dots.gg), sizes.shrinkage) == 0;
  }
  const double rho = 1 - sizes.radial * (dots.gw / dots.ww);
  return rho * group_shrinkage(std::abs(rho) * std::sqrt(dots.ww), sizes.shrinkage) == 0;
}

}  // namespace coppice
