#pragma once

#include "coppice/core/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// Encoded rows as networks take them. Classification fills labels, regression targets (standardised).
struct Dataset {
  Matrix<float> inputs;
  std::vector<std::uint32_t>
      labels;  ///< a class index; the number of classes for a class that training never saw
  std::vector<float> targets;
  std::vector<float> weights;  ///< how much each row counts; empty: all the same

  std::size_t rows() const { return inputs.rows(); }
};

/// Of the named rows together: their number where all count the same.
inline double total_weight(const Dataset& data, std::span<const std::uint32_t> rows) {
  if (data.weights.empty()) return static_cast<double>(rows.size());
  double total = 0;
  for (const std::uint32_t row : rows) total += data.weights[row];
  return total;
}

/// The named rows' weights; none where all count the same.
inline std::vector<float> weights_of(const Dataset& data, std::span<const std::uint32_t> rows) {
  std::vector<float> weights;
  if (data.weights.empty()) return weights;
  weights.reserve(rows.size());
  for (const std::uint32_t row : rows) weights.push_back(data.weights[row]);
  return weights;
}

}  // namespace coppice
