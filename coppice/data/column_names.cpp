#include "coppice/data/column_names.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"

#include <algorithm>

namespace coppice {

std::vector<std::string> column_names(const TableProfile& profile) {
  std::vector<std::string> names;
  names.reserve(profile.columns.size());
  for (const ColumnProfile& column : profile.columns) names.push_back(column.name);
  return names;
}

std::optional<std::size_t> find_column(const TableProfile& profile, std::string_view name) {
  const auto found = std::ranges::find(profile.columns, name, &ColumnProfile::name);
  if (found == profile.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - profile.columns.begin());
}

std::size_t require_column(const TableProfile& profile, std::string_view name, std::string_view flag) {
  if (const auto column = find_column(profile, name)) return *column;
  const std::vector<std::string> names = column_names(profile);
  fail("{}: {} names the column {}, which is not there{}; the columns are {}", profile.source.path, flag,
       cited(name), suggestion(name, names), listed(names));
}

std::string stray_place(const TableProfile& profile, const ColumnProfile& column) {
  return fmt::format("{}: line {}, column {} ({})", profile.source.path, column.stray_line,
                     find_column(profile, column.name).value_or(0) + 1, cited(column.name));
}

void refuse_decimal_commas(const TableProfile& profile, const ColumnProfile& column) {
  if (column.declared || column.decimal_commas == 0) return;
  if (column.numeric + column.decimal_commas < column.present) return;
  fail(
      "{}: {} looks like a number with a decimal comma, like {} of the {} values in this column; write a "
      "decimal "
      "point instead and nothing between thousands, or use --categorical {} if these are no numbers",
      stray_place(profile, column), cited(column.stray_value), column.decimal_commas, column.present,
      as_argument(column.name));
}

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string as_argument(std::string_view name) {
  return name.empty() || name.find_first_of(" \t\n,;'\"") != std::string_view::npos ? cited(name)
                                                                                    : std::string(name);
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
  const auto near = nearest(name, candidates);
  return near ? fmt::format(" (did you mean {}?)", cited(*near)) : std::string();
}

}  // namespace coppice
