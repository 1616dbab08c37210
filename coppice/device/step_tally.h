#pragma once

#include "coppice/device/adarad_unit.h"
#include "coppice/device/host_device.h"
#include "coppice/device/rows.h"

#include <cstdint>

namespace coppice {

/// What steps did to the units of a layer, added up. Whole numbers: their sum is the same in any order.
struct StepTally {
  unsigned long long steps = 0;   ///< of all units together
  unsigned long long flips = 0;   ///< that turned a fan-in around: a negative radial factor
  unsigned long long held = 0;    ///< whose radial factor was not trusted
  unsigned long long turned = 0;  ///< angles added up, in parts of angle_part

  bool operator==(const StepTally&) const = default;

  StepTally& operator+=(const StepTally& other) {
    steps += other.steps;
    flips += other.flips;
    held += other.held;
    turned += other.turned;
    return *this;
  }
  double mean_angle() const;
};
constexpr double angle_part = 1.0 / (1ULL << 32U);

inline double StepTally::mean_angle() const {
  return steps == 0 ? 0 : static_cast<double>(turned) * angle_part / static_cast<double>(steps);
}

/// Of one unit that takes one step by this angle.
COPPICE_HOST_DEVICE inline StepTally tally_of(const RowDots& dots, double angle, const StepSizes& sizes) {
  constexpr double most = 1000;  // radians that are told apart
  if (dots.ww == 0) return {1, 0, 0, 0};
  const double factor = radial_factor(dots.gw / dots.ww, sizes);
  const double kept = trusted(factor, sizes);
  const double seen = angle < most ? angle : most;
  return {1, kept < 0 ? 1ULL : 0ULL, kept != factor ? 1ULL : 0ULL,
          static_cast<unsigned long long>(seen / angle_part)};
}

}  // namespace coppice
