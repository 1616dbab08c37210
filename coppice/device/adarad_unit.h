#pragma once

#include "coppice/core/elementary.h"
#include "coppice/device/host_device.h"
#include "coppice/device/rows.h"
#include "coppice/device/step_sizes.h"

#include <cmath>

namespace coppice {

/// The norm that all units' angular parts are brought to: with alpha_phi the largest there was, with an angle 1.
COPPICE_HOST_DEVICE inline double angular_norm(const StepSizes& sizes, double largest_average,
                                               double largest_capacity) {
  return sizes.by_angle ? 1 : std::sqrt(largest_average / largest_capacity);
}

/// What a unit's angular part is divided by: its running root mean square. `epsilon` keeps the division finite.
COPPICE_HOST_DEVICE inline double angular_size(double average, double capacity, double epsilon,
                                               const StepSizes& sizes, double largest_average,
                                               double largest_capacity) {
  const double own = std::sqrt(average / capacity) + epsilon;
  if (sizes.relative_epsilon == 0) return own;
  return own + sizes.relative_epsilon * std::sqrt(largest_average / largest_capacity);
}

#ifdef __CUDACC__
COPPICE_HOST_DEVICE inline double sine_of(double x) {
  return std::sin(x);
}
COPPICE_HOST_DEVICE inline double cosine_of(double x) {
  return std::cos(x);
}
#else
inline double sine_of(double x) {
  return elementary::sin(x);
}
inline double cosine_of(double x) {
  return elementary::cos(x);
}
#endif

/// |phi|^2 of AdaRad (training/adarad.h has the formulas). A zero fan-in has no direction to turn. Below a
/// certain share of |g|^2, what is left is rounding: normalised like any other angular part it would turn a
/// fan-in of one weight, which has no angle, by as much as its neighbours.
COPPICE_HOST_DEVICE inline double angular_square(const RowDots& dots) {
  constexpr double rounding = 1e-12;
  if (dots.ww == 0) return 0;
  const double square = dots.gg - dots.gw * dots.gw / dots.ww;
  return square > rounding * dots.gg ? square : 0;
}

/// What becomes of a fan-in's length: w -> k rho w, but for the angle. A zero fan-in (an output unit's) takes a plain
/// gradient step: rho is what g is multiplied by.
struct RadialStep {
  double rho = 0;
  double length = 0;  ///< before shrinkage
  double k = 0;
};
COPPICE_HOST_DEVICE inline RadialStep adarad_radial_step(const RowDots& dots, const StepSizes& sizes) {
  const bool zero = dots.ww == 0;
  const double rho = zero ? -sizes.radial : trusted(radial_factor(dots.gw / dots.ww, sizes), sizes);
  const double length = std::abs(rho) * std::sqrt(zero ? dots.gg : dots.ww);
  return {rho, length, group_shrinkage(length, shrinkage_of(length, sizes))};
}

/// The two numbers of w <- a w + b g for one unit. `scale`: what |phi| is multiplied by to give the angle.
COPPICE_HOST_DEVICE inline RowScale adarad_unit_step(const RowDots& dots, double scale,
                                                     const StepSizes& sizes) {
  const auto [rho, length, k] = adarad_radial_step(dots, sizes);
  if (dots.ww == 0) return {0, k * rho};
  const double phi = std::sqrt(angular_square(dots));
  if (phi == 0) return {k * rho, 0};
  const double theta = scale * phi;
  const double turn = length * sine_of(theta) / phi;
  return {k * (rho * cosine_of(theta) + turn * (dots.gw / dots.ww)), -k * turn};
}

/// Whether both of those numbers are zero, so that the step ends the unit; that does not depend on the angle.
COPPICE_HOST_DEVICE inline bool adarad_ends_unit(const RowDots& dots, const StepSizes& sizes) {
  const RadialStep step = adarad_radial_step(dots, sizes);
  return step.k * step.rho == 0;
}

}  // namespace coppice
