#pragma once

#include "coppice/core/matrix.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace coppice {

/// Lengths of fan-ins: one per unit of the layer.
inline std::vector<double> row_lengths(const Matrix<float>& weights) {
  std::vector<double> lengths;
  for (std::size_t j = 0; j < weights.rows(); ++j) {
    double squares = 0;
    for (const double weight : weights.row(j)) squares += weight * weight;
    lengths.push_back(std::sqrt(squares));
  }
  return lengths;
}

/// Lengths of fan-outs: one per unit of the layer below. Unit j counts factors[j] times; no factors: once.
inline std::vector<double> column_lengths(const Matrix<float>& weights,
                                          std::span<const double> factors = {}) {
  std::vector<double> lengths(weights.cols());
  for (std::size_t j = 0; j < weights.rows(); ++j) {
    const double factor = factors.empty() ? 1 : factors[j];
    for (std::size_t i = 0; i < weights.cols(); ++i) {
      const double value = weights(j, i) * factor;
      lengths[i] += value * value;
    }
  }
  for (double& length : lengths) length = std::sqrt(length);
  return lengths;
}

}  // namespace coppice
