#pragma once

#include "coppice/data/table.h"

#include <cstdint>

namespace coppice {

/// CRC-32 of all that a training takes from a table: names, kinds and cells of its columns, and what the table says of
/// itself. A matrix and the same columns added one by one have the same.
std::uint32_t table_checksum(const Table& table);

}  // namespace coppice
