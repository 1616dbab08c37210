#pragma once

#include "coppice/data/table.h"

#include <optional>
#include <string>
#include <string_view>

namespace coppice::fuzz {

/// Reads a table in several ways, whose answers must agree. Limits are small, so that files can exceed them.
void read_tables(const std::string& name, std::string_view bytes, std::optional<Format> format);

/// Counts must be those of the cells, and every cell can be asked for.
void check_table(const Table& table);

}  // namespace coppice::fuzz
