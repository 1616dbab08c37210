#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/data/cell.h"
#include "coppice/data/column_names.h"
#include "coppice/data/records.h"
#include "coppice/data/table_builder.h"
#include "coppice/data/unread_number.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace coppice {

namespace {

/// Puts the cells of records into a table.
class RecordLoader {
 public:
  RecordLoader(const TableProfile& profile, const LoadPlan& plan)
      : profile_(profile), plan_(plan), table_(profile, plan) {
    for (std::size_t i = 0; i < profile.columns.size(); ++i) {
      if (plan.uses[i] == ColumnUse::text) texts_.push_back(i);
      const bool zero = parse_cell(absent_text(profile.columns[i])).value == 0 &&
                        parse_cell(absent_text(profile.columns[i])).kind == CellKind::number;
      if (plan.uses[i] == ColumnUse::number && !zero) not_zero_.push_back(i);
    }
  }

  void add(const Record& record) {
    if (row_ == profile_.rows) fail_changed();
    if (!record.sparse) {
      for (std::size_t i = 0; i < record.cells.size(); ++i) put(i, record.cells[i], record.line);
    } else {
      for (const std::size_t i : not_zero_) {
        if (!stands_in(record, i)) put(i, absent_text(profile_.columns[i]), record.line);
      }
      for (std::size_t k = 0; k < record.cells.size(); ++k) {
        if (record.columns[k] >= plan_.uses.size()) fail_changed();
        put(record.columns[k], record.cells[k], record.line);
      }
      for (const std::size_t i : texts_) {
        if (!stands_in(record, i)) put(i, absent_text(profile_.columns[i]), record.line);
      }
    }
    ++row_;
  }

  Table finish() {
    if (row_ != profile_.rows) fail_changed();
    return table_.finish();
  }

 private:
  static bool stands_in(const Record& record, std::size_t column) {
    return std::ranges::binary_search(record.columns, static_cast<std::uint32_t>(column));
  }

  void put(std::size_t column, std::string_view text, std::size_t line) {
    if (plan_.uses[column] == ColumnUse::number) {
      put_number(column, text, line);
    } else if (plan_.uses[column] == ColumnUse::text) {
      put_text(column, text, line);
    }
  }

  void put_number(std::size_t column, std::string_view text, std::size_t line) {
    const Cell cell = parse_cell(text);
    if (cell.kind == CellKind::missing) {
      if (is_required(column)) fail_missing(column, line);
      table_.put(row_, column, std::numeric_limits<float>::quiet_NaN());
      return;
    }
    const std::string& name = profile_.columns[column].name;
    if (cell.kind == CellKind::text) {
      if (!unread_format(text).empty()) fail_unread(place(profile_.source.path, line, column, name), text);
      fail(
          "{}: {} is not a number; correct it, put ? if the value is unknown, or train with "
          "--categorical {} if the column holds categories",
          place(profile_.source.path, line, column, name), cited(text), as_argument(name));
    }
    if (!fits_float(cell.value)) fail_too_large(place(profile_.source.path, line, column, name), text);
    table_.put(row_, column, static_cast<float>(cell.value));
  }

  void put_text(std::size_t column, std::string_view text, std::size_t line) {
    if (is_declared(column, text) || parse_cell(text).kind != CellKind::missing) {
      table_.put(row_, column, text);
      return;
    }
    if (is_required(column)) fail_missing(column, line);
    table_.put_missing_text(row_, column);
  }

  bool is_declared(std::size_t column, std::string_view text) const {
    const auto& values = profile_.columns[column].declared_values;
    return !values.empty() && is_missing(text) && std::ranges::find(values, text) != values.end();
  }

  bool is_required(std::size_t column) const {
    return column < plan_.required.size() && plan_.required[column];
  }

  [[noreturn]] void fail_missing(std::size_t column, std::size_t line) const {
    fail("{}: the value is missing, but this column needs one in every row; fill it in or remove the row",
         place(profile_.source.path, line, column, profile_.columns[column].name));
  }

  [[noreturn]] void fail_changed() const {
    fail("{}: the file changed while it was read; try again when it is complete", profile_.source.path);
  }

  const TableProfile& profile_;
  const LoadPlan& plan_;
  TableBuilder table_;
  std::vector<std::size_t> texts_;     ///< columns taken as text
  std::vector<std::size_t> not_zero_;  ///< columns taken as number where absent does not mean 0
  std::size_t row_ = 0;
};

}  // namespace

Table load_table(const TableProfile& profile, const LoadPlan& plan) {
  if (plan.uses.size() != profile.columns.size()) {
    throw std::invalid_argument("load_table: the plan has another number of columns than the profile");
  }
  if (profile.source.format == Format::idx) return load_idx(profile, plan);
  RecordLoader loader(profile, plan);
  const auto reader = read_records(profile);
  Record record;
  while (reader->next(record)) loader.add(record);
  return loader.finish();
}

std::uint32_t source_checksum(const Source& source) {
  const std::uint32_t sum = file_checksum(source.path);
  if (source.labels.empty()) return sum;
  const std::string both = fmt::format("{:08x}{:08x}", sum, file_checksum(source.labels));
  return checksum(both);
}

}  // namespace coppice
