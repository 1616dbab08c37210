#pragma once

#include "coppice/core/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// Rows whose largest probability lies in one interval.
struct CalibrationBin {
  std::size_t rows = 0;
  double confidence = 0;  ///< mean of their largest probability
  double accuracy = 0;    ///< share of them that are right
};

/// Whether probabilities mean what they say.
struct Calibration {
  static constexpr std::size_t intervals = 10;

  std::vector<CalibrationBin> bins;  ///< of equal intervals, in ascending order; empty ones are left out
  double log_loss = 0;               ///< mean over the rows of known classes
  double error = 0;  ///< expected calibration error: mean over rows of |accuracy - confidence|
};

/// Of softmax(scores / temperature) against the labels; a label outside the classes is never right.
Calibration calibrate(const Matrix<float>& scores, std::span<const std::uint32_t> labels, double temperature);

}  // namespace coppice
