#pragma once

#include "coppice/core/matrix.h"
#include "coppice/data/table.h"

#include <vector>

namespace coppice::experiments {

/// Rows of numbers of two classes.
struct Points {
  Matrix<float> inputs;
  std::vector<bool> labels;
};

/// The columns of a table, the last one the class: "1" or anything else.
Points points_of(const Table& table);

/// Logistic regression of two classes: a weight per input and a bias last. Newton's method until the gradient is zero to
/// rounding, or 50 steps; a little ridge keeps it finite where classes can be told apart.
std::vector<double> fit_logistic(const Points& points);

/// Share of the points that it gets wrong.
double logistic_error(const std::vector<double>& weights, const Points& points);

}  // namespace coppice::experiments
