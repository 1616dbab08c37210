#pragma once

#include "coppice/data/encoding.h"

#include <cstddef>
#include <string>
#include <vector>

namespace coppice {

/// The column to predict: the one named, the format's own, or the only one called target, class, label or y.
std::size_t find_target(const TableProfile& profile, const EncodingOptions& options,
                        std::vector<std::string>& notes);

/// Classification or regression: as asked, else by what the target holds. Says what was found and fails on a
/// target that cannot be learned.
Task find_task(const TableProfile& profile, const ColumnProfile& target, const EncodingOptions& options,
               std::vector<std::string>& notes);

}  // namespace coppice
