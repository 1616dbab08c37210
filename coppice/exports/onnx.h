#pragma once

#include "coppice/exports/export.h"
#include "coppice/exports/lowered.h"

#include <string>

namespace coppice {

/// The model as a file of ONNX: docs/exports.md says what its inputs and outputs are.
std::string onnx_file(const LoweredModel& model, const ExportOptions& options);

}  // namespace coppice
