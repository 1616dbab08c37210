#pragma once

#include "coppice/core/choices.h"

#include <cstddef>
#include <optional>

namespace coppice {

/// Fails on a metric that the task has not.
void refuse_metric(std::optional<Metric> metric, Task task);

/// Standard error of a net's criterion over so many rows, from the criterion alone: squares of normal residuals have a
/// deviation of sqrt(2) times their mean, their absolute values one of 0.76, log-losses about one of their mean; the
/// others are taken for shares of rows.
double estimated_standard_error(double criterion, std::size_t classes, Metric metric, std::size_t rows);

}  // namespace coppice
