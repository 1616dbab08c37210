#pragma once

#include "coppice/data/dataset.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coppice::test {

/// Weights of 1, 2, 3, 1, 2, 3, ...
inline Dataset weighted(Dataset data) {
  for (std::size_t i = 0; i < data.rows(); ++i) data.weights.push_back(static_cast<float>(i % 3 + 1));
  return data;
}

/// Every row as often as it counts.
inline Dataset repeated(const Dataset& data) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < data.rows(); ++i)
    rows.insert(rows.end(), static_cast<std::size_t>(data.weights[i]), static_cast<std::uint32_t>(i));
  Dataset all;
  all.inputs = Matrix<float>(rows.size(), data.inputs.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(data.inputs.row(rows[i]), all.inputs.row(i).begin());
    if (!data.labels.empty()) all.labels.push_back(data.labels[rows[i]]);
    if (!data.targets.empty()) all.targets.push_back(data.targets[rows[i]]);
  }
  return all;
}

}  // namespace coppice::test
