#pragma once

#include "coppice/data/dataset.h"
#include "coppice/data/input_encoder.h"
#include "coppice/data/row_memory.h"
#include "coppice/data/table.h"

#include <cstddef>

namespace coppice {

/// Encodes all rows: as floats or packed, into memory or, where `memory` is not to hold them, into a scratch file. memory: none: as
/// floats, into memory, or it fails. threads: at most, and only where cells are many.
void put_inputs(const Table& table, const Encoding& encoding, const InputPlaces& places, std::size_t threads,
                RowMemory* memory, Dataset& data);

}  // namespace coppice
