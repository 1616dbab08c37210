#pragma once

#include "coppice/exports/lowered.h"

#include <cstddef>
#include <vector>

namespace coppice {

/// One float per feature of a model, as programs without texts hold a row: the number, or which of the categories it is (the
/// number of categories for any other text); NaN where a cell is missing.
std::vector<float> cells_of_row(const LoweredModel& model, const Table& table, std::size_t row);

/// Rows for trying whether a model answers the same elsewhere: numbers around those of the training rows, all kinds of
/// texts, gaps. The same for the same model.
Table trial_rows(const LoweredModel& model, std::size_t rows);

}  // namespace coppice
