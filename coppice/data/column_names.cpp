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
