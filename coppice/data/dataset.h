#pragma once

#include "coppice/core/matrix.h"
#include "coppice/data/packed_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace coppice {

/// Encoded rows as networks take them. Classification fills labels, regression targets (standardised).
struct Dataset {
  Matrix<float> inputs;
  std::shared_ptr<const PackedRows> packed = {};  ///< the inputs where they are many
  std::vector<std::uint32_t>
      labels;  ///< a class index; the number of classes for a class that training never saw
  std::vector<float> targets;
  std::vector<float> weights;  ///< how much each row counts; empty: all the same

  std::size_t rows() const { return packed ? packed->rows() : inputs.rows(); }
  std::size_t input_count() const { return packed ? packed->inputs() : inputs.cols(); }
};

/// The inputs of the named rows.
Matrix<float> inputs_of(const Dataset& data, std::span<const std::uint32_t> rows);

/// The named rows are gathered next.
inline void expect_rows(const Dataset& data, std::span<const std::uint32_t> rows) {
  if (data.packed) data.packed->expect(rows);
}

/// Calls use(row, inputs) for the named rows, one after another.
template <class Use>
void for_inputs(const Dataset& data, std::span<const std::uint32_t> rows, const Use& use) {
  constexpr std::size_t block = 256;
  if (!data.packed) {
    for (const std::uint32_t row : rows) use(row, data.inputs.row(row));
    return;
  }
  for (; !rows.empty(); rows = rows.subspan(std::min(block, rows.size()))) {
    const auto some = rows.first(std::min(block, rows.size()));
    const Matrix<float> inputs = inputs_of(data, some);
    for (std::size_t i = 0; i < some.size(); ++i) use(some[i], inputs.row(i));
  }
}

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
