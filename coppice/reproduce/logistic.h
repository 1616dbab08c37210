#pragma once

#include "coppice/data/dataset.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coppice::reproduce {

/// Logistic regression of two classes: a weight per input and a bias last. Newton's method until the gradient is zero to
/// rounding, or 50 steps; a little ridge keeps it finite where classes can be told apart.
std::vector<double> fit_logistic(const Dataset& data, std::span<const std::uint32_t> rows);

/// Share of these rows that it gets wrong.
double logistic_error(const std::vector<double>& weights, const Dataset& data,
                      std::span<const std::uint32_t> rows);

}  // namespace coppice::reproduce
