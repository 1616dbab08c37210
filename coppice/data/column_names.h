#pragma once

#include "coppice/data/reader.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

std::vector<std::string> column_names(const TableProfile& profile);

std::optional<std::size_t> find_column(const TableProfile& profile, std::string_view name);

/// The column that a flag names; an unknown one is an Error that lists the columns and suggests the nearest.
std::size_t require_column(const TableProfile& profile, std::string_view name, std::string_view flag);

bool contains(std::span<const std::string> names, std::string_view name);

/// The name as a user would type it after a flag: in quotes if it holds blanks.
std::string as_argument(std::string_view name);

/// " (did you mean "age"?)", or nothing.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace coppice
