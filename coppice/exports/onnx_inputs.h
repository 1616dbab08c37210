#pragma once

#include "coppice/exports/lowered.h"
#include "coppice/exports/onnx_cells.h"
#include "coppice/exports/onnx_graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace coppice {

/// Network inputs, scaled, as a tensor.
struct OnnxBlock {
  OnnxGraph::Name tensor;
  std::vector<std::uint32_t> inputs;  ///< which of the model's its columns are
};

/// The inputs that some net looks at. Bins are many, and not all nets take them: they stand apart.
struct OnnxNetInputs {
  OnnxBlock plain;
  std::optional<OnnxBlock> all;        ///< the same and bins, if there are such
  std::optional<OnnxGraph::Name> off;  ///< per row, whether a number is infinite: predict refuses such rows
};

OnnxNetInputs add_inputs(OnnxGraph& graph, const LoweredModel& model, const OnnxCells& cells);

}  // namespace coppice
