#pragma once

#include "cli/terminal/styled.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace coppice::cli {

/// A column: how its cells are made from the number of what stands in the row.
struct FittedColumn {
  std::string heading;
  bool right = true;  ///< numbers stand to the right
  int gives_way = 0;  ///< when the table is too wide: the highest number first; 0: never
  std::function<Styled(std::size_t)> cell;
  std::function<StyledLine(std::size_t, const Styled&)> dress = {};  ///< the cell in several styles
};

/// A table for the terminal that can leave out columns until it is narrow enough.
class FittedTable {
 public:
  static constexpr std::size_t gap = 2;  ///< blanks between columns

  /// One row for each of `rows`.
  FittedTable(std::vector<FittedColumn> columns, std::vector<std::size_t> rows);

  std::size_t width() const;
  void add(FittedColumn column);
  /// Leaves out columns until the table is no wider than that, none that gives way later than `least`.
  void narrow(std::size_t width, int least = 1);
  /// Heading and rows.
  std::vector<StyledLine> lines() const;

 private:
  void add_cell(StyledLine& line, std::size_t column, const StyledLine& pieces) const;

  std::vector<FittedColumn> columns_;
  std::vector<std::size_t> rows_;
  std::vector<std::vector<Styled>> cells_;  ///< column by column
  std::vector<std::size_t> widths_;
};

}  // namespace coppice::cli
