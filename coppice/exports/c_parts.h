#pragma once

#include "coppice/exports/c_writer.h"
#include "coppice/exports/lowered.h"

#include <cstddef>
#include <string>
#include <vector>

// The parts of a C header, in the order in which they stand there. Each writes functions and constants.
namespace coppice {

/// What the numbers that go into the first layers are.
enum class CInput : std::uint8_t {
  real,   ///< float
  level,  ///< uint8_t: the input rounded, 0 to 255
};

/// The word for that type.
std::string c_input_type(CInput input);

/// The cells of a row, as constants of an enum, and the names of the classes.
void write_names(CWriter& out, const LoweredModel& model);

/// $_category(), which finds the number of a text, and $_set_COLUMN() for dates; nothing where there are neither.
void write_text_functions(CWriter& out, const LoweredModel& model);

/// $_inputs(row, x): 0, or -1 - the cell that is infinite.
void write_inputs(CWriter& out, const LoweredModel& model, CInput input);

/// $_scores(x, y): adds up what the nets say.
void write_nets(CWriter& out, const LoweredModel& model);

/// $_answer(y): makes the answer of what the nets say, summed.
void write_answer(CWriter& out, const LoweredModel& model);

/// The constants of the cells, one for each feature.
std::vector<std::string> cell_constants(const CWriter& out, const LoweredModel& model);

/// Bytes on the stack that the functions of write_nets() need, beside inputs and outputs.
std::size_t net_scratch_bytes(const LoweredModel& model);

}  // namespace coppice
