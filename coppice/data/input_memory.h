#pragma once

#include "coppice/data/encoding.h"
#include "coppice/data/table.h"

#include <cstddef>

namespace coppice {

/// Fails if so many rows of so many inputs cannot fit into the memory: categories and bins make many of one column, and the
/// program would be killed without a message.
void require_input_memory(const Table& table, const Encoding& encoding, std::size_t rows, std::size_t inputs);

}  // namespace coppice
