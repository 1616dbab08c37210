#pragma once

#include "coppice/exports/c_writer.h"
#include "coppice/exports/lowered.h"
#include "coppice/exports/quantized.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The parts of a C header, in the order in which they stand there. Each writes functions and constants.
namespace coppice {

/// What the numbers that go into the first layers are.
enum class CInput : std::uint8_t {
  real,        ///< float
  level,       ///< uint8_t: the input rounded, 0 to 255
  wide_level,  ///< uint16_t: the input rounded, 0 to 960
};

/// The word for that type, and its bytes.
std::string c_input_type(CInput input);
std::size_t c_input_bytes(CInput input);
/// Of an 8-bit model.
CInput level_input(const LoweredModel& model);

/// The cells of a row, as constants of an enum, and the names of the classes.
void write_names(CWriter& out, const LoweredModel& model);

/// $_category(), which finds the number of a text, and $_set_COLUMN() for dates; nothing where there are neither.
void write_text_functions(CWriter& out, const LoweredModel& model);

/// $_inputs(row, x): 0, or -1 - the cell that is infinite.
void write_inputs(CWriter& out, const LoweredModel& model, CInput input);

/// $_scores(x, y): adds up what the nets say.
void write_nets(CWriter& out, const LoweredModel& model);

/// The same with 8-bit nets, whose inputs are levels.
void write_int8_nets(CWriter& out, const QuantizedModel& model);

/// $_answer(y): makes the answer of what the nets say, summed.
void write_answer(CWriter& out, const LoweredModel& model);

/// The constants of the cells, one for each feature.
std::vector<std::string> cell_constants(const CWriter& out, const LoweredModel& model);

/// What stands before the nets: names, texts and inputs.
void write_beginning(CWriter& out, const LoweredModel& model, CInput input);

/// Bytes of the constants that nets are, and bytes on the stack while a row is predicted; of 8-bit nets for levels.
std::size_t net_constant_bytes(const LoweredModel& model, CInput input);
std::size_t stack_bytes(const LoweredModel& model, CInput input);
/// Of all nets, inside layers, per row.
std::size_t multiplications_of(const LoweredModel& model);

/// Whether 8-bit units of such a kind say things below 0, so that the level of 0 is not 0.
bool has_zeros(Activation activation);
/// Of the hidden units of all nets, which share it.
Activation hidden_activation(const LoweredModel& model);

/// Units of the widest hidden layer; 0 if there is none.
std::size_t widest_layer(const LoweredModel& model);
/// Whether a net takes all inputs in their order; if not it picks its own.
bool takes_all(const LoweredModel& model, const LoweredNet& net);
/// The most inputs that a net picks.
std::size_t most_picked(const LoweredModel& model);
/// Which inputs the nets pick, for those that do.
void write_picked(CWriter& out, const LoweredModel& model);

}  // namespace coppice
