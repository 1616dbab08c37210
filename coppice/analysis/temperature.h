#pragma once

#include "coppice/core/matrix.h"

#include <cstdint>
#include <span>

namespace coppice {

/// The temperature that makes the labels most likely; labels are smoothed by one row in n, so that it stays
/// finite when every row is right. Labels outside the classes are left out. weights: of the rows; empty: all count the same.
double fit_temperature(const Matrix<float>& scores, std::span<const std::uint32_t> labels,
                       std::span<const float> weights = {});

}  // namespace coppice
