#pragma once

#include "coppice/device/adarad_unit.h"
#include "coppice/device/weight_rows.h"

#include <cmath>

// The numbers of one unit's step of AdaRad-M (training/adarad_m.h has the formulas).
namespace coppice {

/// What becomes of a unit's running mean. A zero fan-in has no angle: its mean begins anew.
COPPICE_HOST_DEVICE inline RowMix adarad_m_mix(const RowDots& dots, double rate) {
  if (dots.ww == 0) return {.keep = 0, .w_share = 0, .g_share = 0};
  if (angular_square(dots) == 0) return {.keep = 1 - rate, .w_share = 0, .g_share = 0};
  return {.keep = 1 - rate, .w_share = -rate * dots.gw / dots.ww, .g_share = rate};
}

/// How full that running mean is then.
COPPICE_HOST_DEVICE inline double adarad_m_filled(const RowDots& dots, double filled, double rate) {
  return dots.ww == 0 ? 0 : (1 - rate) * filled + rate;
}

/// Both rotations and the shrinkage. `scale`: what |m| is multiplied by to give the angle.
COPPICE_HOST_DEVICE inline RowTurn adarad_m_turn(const RowDots& dots, double mean_square, double scale,
                                                 const StepSizes& sizes) {
  const double length = std::sqrt(dots.ww);
  const double mean = std::sqrt(mean_square);
  const double rho = trusted(radial_factor(dots.gw / dots.ww, sizes), sizes);
  const double moved = std::abs(rho) * length;
  const double k = group_shrinkage(moved, shrinkage_of(moved, sizes));
  const double theta = scale * mean;
  if (theta == 0) return {.ww = k * rho, .wm = 0, .mw = 0, .mm = 1};
  const double sine = sine_of(theta);
  const double cosine = cosine_of(theta);
  return {.ww = k * rho * cosine,
          .wm = -k * std::abs(rho) * length * sine / mean,
          .mw = std::copysign(sine * mean / length, rho * sine),
          .mm = cosine};
}

}  // namespace coppice
