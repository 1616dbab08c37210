#pragma once

#include "coppice/core/matrix.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coppice {

enum class ColumnKind : std::uint8_t { number, text };

/// One column of a table. Numbers lie in Table::numbers; texts are codes into the column's distinct values,
/// which stand in the order in which the file first shows them.
struct Column {
  static constexpr std::uint32_t missing = 0xFFFFFFFF;

  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::size_t index = 0;             ///< number: its column in Table::numbers
  std::vector<std::uint32_t> codes;  ///< text: one per row, `missing` where there is none
  std::vector<std::string> values;   ///< text: code -> value
};

/// What a reader makes of a file: rows of numbers (NaN where missing) and coded text columns.
struct Table {
  std::size_t rows = 0;
  std::vector<Column> columns;
  Matrix<float> numbers;  ///< rows x number columns
};

}  // namespace coppice
