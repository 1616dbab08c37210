#include "coppice/data/column_profiler.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/cell.h"
#include "coppice/data/records.h"
#include "coppice/data/unread_number.h"

#include <cmath>
#include <utility>

namespace coppice {

ColumnProfiler::ColumnProfiler(ColumnProfile column, std::size_t index)
    : column_(std::move(column)), index_(index) {
  for (const auto& value : column_.declared_values) admitted_.add(value);
}

void ColumnProfiler::add(std::string_view text, const std::string& path, std::size_t line, std::size_t most,
                         std::size_t count) {
  cells_ += count;
  Cell cell = parse_cell(text);
  // A declared value is itself even if it is spelled like a missing marker.
  const bool admitted = admitted_.find(text) != TextIndex::none;
  if (cell.kind == CellKind::missing && !admitted) {
    if (column_.missing_line == 0) column_.missing_line = line;
    return;
  }
  if (cell.kind == CellKind::missing) cell.kind = CellKind::text;
  if (!admitted) check_declared(cell.kind == CellKind::text, text, path, line);
  column_.present += count;
  if (cell.kind == CellKind::number) {
    column_.numeric += count;
    if (column_.whole && std::trunc(cell.value) != cell.value) column_.whole = false;
    if (large_line_ == 0 && !fits_float(cell.value)) {
      large_line_ = line;
      large_value_ = text;
    }
  } else if (!unread_format(text).empty()) {
    column_.unread_numbers += count;
    if (column_.unread_line == 0) {
      column_.unread_line = line;
      column_.unread_value = text;
    }
  } else {
    if (column_.stray_line == 0) {
      column_.stray_line = line;
      column_.stray_value = text;
    }
    if (texts_.size() < ColumnProfile::most_distinct_texts) texts_.add(text);
  }
  if (!column_.more_distinct) note_distinct(text, most);
}

void ColumnProfiler::catch_up(std::size_t row, const std::string& path, std::size_t line, std::size_t most) {
  if (cells_ < row) add(absent_text(column_), path, line, most, row - cells_);
}

void ColumnProfiler::check_declared(bool text_cell, std::string_view text, const std::string& path,
                                    std::size_t line) const {
  if (!column_.declared_values.empty()) {
    fail("{}: {} is not one of the declared values {{{}}}; declare it or correct it",
         place(path, line, index_, column_.name), cited(text), listed(column_.declared_values, 10));
  }
  if (text_cell && column_.declared == ColumnKind::number) {
    if (!unread_format(text).empty()) fail_unread(place(path, line, index_, column_.name), text);
    fail("{}: {} is not a number; correct it, or put ? if the value is unknown",
         place(path, line, index_, column_.name), cited(text));
  }
}

void ColumnProfiler::note_distinct(std::string_view text, std::size_t most) {
  const bool numbers = column_.numeric == column_.present;
  if (distinct_.size() < (numbers ? most : ColumnProfile::most_distinct)) {
    distinct_.add(text);
  } else if (distinct_.find(text) == TextIndex::none) {
    column_.more_distinct = true;
    column_.distinct = distinct_.take();
  }
}

ColumnProfile ColumnProfiler::finish(const std::string& path) {
  const bool numbers = column_.numeric == column_.present && column_.declared != ColumnKind::text;
  if (large_line_ != 0 && numbers) {
    fail_too_large(place(path, large_line_, index_, column_.name), large_value_);
  }
  if (!column_.more_distinct) column_.distinct = distinct_.take();
  column_.distinct_texts = texts_.size();
  return std::move(column_);
}

}  // namespace coppice
