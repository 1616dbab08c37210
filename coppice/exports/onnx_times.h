#pragma once

#include "coppice/exports/lowered.h"
#include "coppice/exports/onnx_graph.h"

namespace coppice {

/// Part of a date or a time as float32, from seconds since 1970-01-01 or, if they are not dated, since midnight. NaN stays.
OnnxGraph::Name add_time_part(OnnxGraph& graph, const OnnxGraph::Name& seconds, const Feature& feature,
                              bool dated);

}  // namespace coppice
