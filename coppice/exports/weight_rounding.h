#pragma once

#include "coppice/core/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// The largest weight of 8 bits.
constexpr double top_weight = 127;

/// Rounds the weights of units that look at the same levels, each up or down such that a unit's sums over the rows come out
/// right: what one weight adds by its rounding others take away.
class WeightRounding {
 public:
  explicit WeightRounding(const Matrix<std::uint16_t>& levels);

  /// Weights near these real ones whose sums over the levels are nearest to `wanted`, one for each row, but for a constant.
  std::vector<std::int8_t> round(std::span<const double> weights, std::span<const double> wanted) const;

 private:
  /// Of each input, over the rows, the mean of its level times what is wanted beyond the mean of that.
  std::vector<double> pulls(std::span<const double> wanted) const;

  const Matrix<std::uint16_t>& levels_;
  Matrix<double> covariance_;  ///< of the levels
  double hold_ = 0;            ///< how strongly weights are held where they are
};

}  // namespace coppice
