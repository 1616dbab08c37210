#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/threads.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Rows that nobody measured but that could be: between rows that lie near each other.
namespace coppice {

/// Two rows.
struct RowPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  bool operator==(const RowPair&) const = default;
};

/// So many pairs of the named rows, each of them first in turn: beside it the nearest of some others that are drawn. `columns`:
/// the inputs of each; no column tells two rows further apart than a few deviations do.
std::vector<RowPair> near_pairs(ThreadPool& pool, const Matrix<float>& inputs,
                                std::span<const std::uint32_t> rows,
                                std::span<const std::vector<std::size_t>> columns, std::size_t count,
                                std::uint64_t seed);

/// For each pair a row of which every column is that of one or of the other.
Matrix<float> mixed_rows(const Matrix<float>& inputs, std::span<const RowPair> pairs,
                         std::span<const std::vector<std::size_t>> columns, std::uint64_t seed);

}  // namespace coppice
