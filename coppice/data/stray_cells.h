#pragma once

#include "coppice/data/reader.h"

#include <string>
#include <string_view>

namespace coppice {

/// Where the first text of a column stands that is no number in any format: `data.csv: line 3, column 2 ("age")`.
std::string stray_place(const TableProfile& profile, const ColumnProfile& column);

/// Whether more than half of the cells are numbers, in whatever format: then a few texts are slips.
bool mostly_numbers(const ColumnProfile& column);

/// Whether numbers in a format that is not read are all that keeps the column from being one of numbers.
bool only_unread_numbers(const ColumnProfile& column);

/// Fails because of the numbers in a format that is not read. `otherwise` says what to do if they are none.
[[noreturn]] void refuse_unread_numbers(const TableProfile& profile, const ColumnProfile& column,
                                        std::string_view otherwise);

}  // namespace coppice
