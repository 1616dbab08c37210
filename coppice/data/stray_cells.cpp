#include "coppice/data/stray_cells.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/cell.h"
#include "coppice/data/column_names.h"
#include "coppice/data/unread_number.h"

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
      "{}: {} looks like a number with {}; {} of the {} values in this column are in a format that is not "
      "read{}; {}{}",
      place_in(profile, column, column.unread_line), cited(column.unread_value),
      unread_format(column.unread_value), column.unread_numbers, column.present, text, readable_format,
      otherwise);
}

}  // namespace coppice
