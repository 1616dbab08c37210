#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/activation.h"

#include <span>

// CapNorm where a batch's samples are cut into parts (capnorm.h has the formulas): what each part adds, one unit per row, and what
// a part becomes once the sums are known.
namespace coppice {

/// Of a unit's z over some samples.
struct PartMoments {
  double weight = 0;   ///< sum of the samples' weights
  double mean = 0;     ///< of z
  double squares = 0;  ///< sum of squared deviations from it

  /// Of both parts together.
  PartMoments with(const PartMoments& other) const;
};
void part_moments(View<const float> z, std::span<const float> weights, std::span<PartMoments> moments);

/// Of a unit's gradient over some samples.
struct PartGradient {
  double sum = 0;    ///< of gy
  double along = 0;  ///< of gy y
};
/// g, dE/dx, becomes gy = g * slope.
void part_gradients(View<float> g, Activation activation, View<const float> y, View<const float> x,
                    std::span<PartGradient> sums);

/// gy becomes dE/dz; `mean`: sums over all parts, divided by the sum of all weights.
void finish_part(View<float> g, View<const float> y, std::span<const float> divisor,
                 std::span<const PartGradient> mean, std::span<const float> weights);

}  // namespace coppice
