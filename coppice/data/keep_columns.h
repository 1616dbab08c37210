#pragma once

#include "coppice/data/encoding.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace coppice {

/// The network inputs that are made of these columns of the user's table.
std::vector<std::uint32_t> inputs_made_of(const Encoding& encoding,
                                          const std::unordered_set<std::string>& columns);

/// The same encoding without the other columns: they count as unused, and a table need not have them.
Encoding keep_columns(const Encoding& encoding, const std::unordered_set<std::string>& columns);

/// The same rows with these inputs alone. memory: where they go; none: into memory.
Dataset keep_inputs(const Dataset& data, std::span<const std::uint32_t> inputs, RowMemory* memory = nullptr);

}  // namespace coppice
