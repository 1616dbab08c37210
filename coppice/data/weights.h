#pragma once

#include "coppice/data/table.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// How much each row of the table counts: the numbers of a column, 0 or more. Whole numbers stay as they are, so that a
/// row of 3 is three rows; others are scaled to a mean of 1, for only their ratios matter. Fails, naming the place, on
/// cells that are missing, no numbers or negative, and where all are 0.
std::vector<float> read_weights(const Table& table, const std::string& column);

/// Of a row; 1 where there are no weights.
inline double weight_at(std::span<const float> weights, std::uint32_t row) {
  return weights.empty() ? 1.0 : weights[row];
}

/// Of all named rows together.
double sum_of_weights(std::span<const float> weights, std::span<const std::uint32_t> rows);

/// Takes out the rows that count nothing.
void drop_weightless(std::span<const float> weights, std::vector<std::uint32_t>& rows);

}  // namespace coppice
