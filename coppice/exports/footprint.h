#pragma once

#include "coppice/core/choices.h"
#include "coppice/model/model.h"

#include <cstddef>
#include <optional>

namespace coppice {

/// What a model takes as a C header.
struct Footprint {
  std::size_t flash = 0;  ///< bytes of constants
  std::size_t ram = 0;    ///< bytes on the stack
  /// The same in 8 bits; of flash at most, as numbers that calibration makes equal are written once.
  std::size_t int8_flash = 0;
  std::size_t int8_ram = 0;
  std::size_t multiplications = 0;  ///< per row
};

/// None if it has too many inputs to be such a header. No net is written for it.
std::optional<Footprint> footprint(const Model& model);

}  // namespace coppice
