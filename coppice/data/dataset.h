#pragma once

#include "coppice/core/matrix.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coppice {

/// Encoded rows as networks take them. Classification fills labels, regression targets (standardised).
struct Dataset {
  Matrix<float> inputs;
  std::vector<std::uint32_t>
      labels;  ///< a class index; the number of classes for a class that training never saw
  std::vector<float> targets;

  std::size_t rows() const { return inputs.rows(); }
};

}  // namespace coppice
