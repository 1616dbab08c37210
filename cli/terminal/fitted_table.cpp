#include "cli/terminal/fitted_table.h"

#include "cli/terminal/table.h"

#include <algorithm>

namespace coppice::cli {

FittedTable::FittedTable(std::vector<FittedColumn> columns, std::vector<std::size_t> rows)
    : rows_(std::move(rows)) {
  for (FittedColumn& column : columns) add(std::move(column));
}

std::size_t FittedTable::width() const {
  std::size_t total = 0;
  for (const std::size_t column : widths_) total += column + gap;
  return total > 0 ? total - gap : 0;
}

void FittedTable::add(FittedColumn column) {
  std::vector<Styled>& cells = cells_.emplace_back();
  std::size_t width = display_width(column.heading);
  for (const std::size_t row : rows_) {
    cells.push_back(column.cell(row));
    width = std::max(width, display_width(cells.back().text));
  }
  widths_.push_back(width);
  columns_.push_back(std::move(column));
}

void FittedTable::narrow(std::size_t width_wanted, int least) {
  while (width() > width_wanted) {
    const auto first = std::ranges::max_element(columns_, {}, &FittedColumn::gives_way);
    if (first == columns_.end() || first->gives_way < least) return;
    const auto place = first - columns_.begin();
    columns_.erase(first);
    cells_.erase(cells_.begin() + place);
    widths_.erase(widths_.begin() + place);
  }
}

void FittedTable::add_cell(StyledLine& line, std::size_t column, const StyledLine& pieces) const {
  const Styled pad{std::string(widths_[column] - width_of(pieces), ' ')};
  if (column > 0) line.push_back({std::string(gap, ' ')});
  if (columns_[column].right) line.push_back(pad);
  line.insert(line.end(), pieces.begin(), pieces.end());
  if (!columns_[column].right) line.push_back(pad);
}

std::vector<StyledLine> FittedTable::lines() const {
  std::vector<StyledLine> lines(rows_.size() + 1);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const FittedColumn& column = columns_[c];
    add_cell(lines[0], c, {{column.heading, Style::dim}});
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const Styled& cell = cells_[c][row];
      add_cell(lines[row + 1], c, column.dress ? column.dress(rows_[row], cell) : StyledLine{cell});
    }
  }
  return lines;
}

}  // namespace coppice::cli
