#pragma once

#include "coppice/exports/export.h"
#include "coppice/exports/lowered.h"

#include <optional>
#include <string>

namespace coppice {

/// The model as a file of ONNX: docs/exports.md says what its inputs and outputs are. Images come as a matrix unless it is
/// said otherwise, tables as columns.
std::string onnx_file(const LoweredModel& model, std::optional<OnnxInputs> inputs);

}  // namespace coppice
