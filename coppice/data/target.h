#pragma once

#include "coppice/data/encoding.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// Whether a column of this name is likely the one to predict: target, class, label or y, in any case.
bool is_usual_target(std::string_view name);

/// The column to predict: the one named, the format's own, or the only one with a usual name.
std::size_t find_target(const Table& table, const EncodingOptions& options, std::vector<std::string>& notes);

/// Classification or regression: as asked, else by what the target holds. Says what was found and fails on a
/// target that cannot be learned.
Task find_task(const Table& table, std::size_t column, const EncodingOptions& options,
               std::vector<std::string>& notes);

}  // namespace coppice
