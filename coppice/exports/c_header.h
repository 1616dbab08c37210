#pragma once

#include "coppice/exports/lowered.h"

#include <cstddef>
#include <string>

namespace coppice {

/// A header in C99 that predicts what a model does, and what it takes.
struct CHeader {
  std::string text;
  std::size_t constant_bytes = 0;   ///< flash beside the code
  std::size_t stack_bytes = 0;      ///< of arrays that live while a row is predicted
  std::size_t multiplications = 0;  ///< inside layers, per row
};

/// Whether there are few enough inputs for headers of both kinds.
bool fits_c(const LoweredModel& model);

/// `name`: what names of C begin with. Fails on a name that C does not take, and on a model of more inputs than it
/// can count.
CHeader c_header(const Model& model, const std::string& name);

/// The same in 8 bits, calibrated on the rows of a table.
CHeader c_int8_header(const Model& model, const std::string& name, const Table& calibration);

}  // namespace coppice
