#pragma once

#include "coppice/data/column_builder.h"
#include "coppice/data/text_block.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace coppice {

/// Rows of a text file that were cut into cells, and what of those are short numbers already read.
struct CellBlock {
  TextBlock text;
  std::vector<std::string_view> cells;  ///< row by row
  std::vector<std::size_t> lines;       ///< where each row begins
  std::vector<float>
      numbers;  ///< column by column, text.lines of each; where a cell is `other` it means nothing
  std::vector<std::uint8_t> traits;  ///< of each column

  std::size_t rows() const { return lines.size(); }
  /// The cells of a column, if `row` is that of the first one.
  CellRun column(std::size_t column, std::size_t row) const {
    return {
        .first = cells.data() + column,
        .stride = traits.size(),
        .row = row,
        .lines = lines,
        .numbers = (traits[column] & CellTraits::other) != 0 ? nullptr : numbers.data() + column * text.lines,
        .traits = traits[column]};
  }
};

}  // namespace coppice
