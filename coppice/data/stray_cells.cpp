#include "coppice/data/stray_cells.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/cell.h"
#include "coppice/data/column_names.h"

namespace coppice {

namespace {

std::string place_in(const TableProfile& profile, const ColumnProfile& column, std::size_t line) {
  return place(profile.source.path, line, find_column(profile, column.name).value_or(0), column.name);
}

}  // namespace

std::string stray_place(const TableProfile& profile, const ColumnProfile& column) {
  return place_in(profile, column, column.stray_line);
}

bool mostly_numbers(const ColumnProfile& column) {
  return (column.numeric + column.unread_numbers) * 2 > column.present;
}

bool only_unread_numbers(const ColumnProfile& column) {
  return column.unread_numbers > 0 && column.numeric + column.unread_numbers == column.present;
}

void refuse_unread_numbers(const TableProfile& profile, const ColumnProfile& column,
                           std::string_view otherwise) {
  std::string text;
  if (column.stray_line != 0) {
    text = fmt::format(" ({} in line {} is no number at all)", cited(column.stray_value), column.stray_line);
  }
  fail(
      "{}: {} looks like a number with a decimal comma, like {} of the {} values in this column{}; write a "
      "decimal point instead and nothing between thousands{}",
      place_in(profile, column, column.unread_line), cited(column.unread_value), column.unread_numbers,
      column.present, text, otherwise);
}

}  // namespace coppice
