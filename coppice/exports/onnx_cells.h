#pragma once

#include "coppice/exports/export.h"
#include "coppice/exports/lowered.h"
#include "coppice/exports/onnx_graph.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// How a column reaches the graph.
enum class OnnxCell : std::uint8_t {
  number,  ///< float32, NaN if it is missing
  text,    ///< string, or the text's code as int64
  time,    ///< float64, seconds since 1970-01-01 00:00 UTC, of times of day since 00:00; NaN if it is missing
  large,   ///< float64: a number that float32 cannot hold, NaN if it is missing
};
template <>
inline constexpr std::array<std::string_view, 4> names_of<OnnxCell>{"number", "text", "time", "large"};

/// How each column does. Dates and times are no texts in a graph: it has no means to read them.
std::vector<OnnxCell> onnx_cells(const LoweredModel& model);

/// The cells of the table as tensors of the graph.
struct OnnxCells {
  std::vector<std::size_t> features;  ///< those that are numbers, in the order of `numbers`
  std::optional<OnnxGraph::Name>
      numbers;  ///< one column per such feature, NaN where it is missing; none: no such features
  std::vector<OnnxGraph::Name> codes;  ///< of each raw column of texts, one column wide
};

/// What the inputs of the graph are.
struct OnnxLayout {
  OnnxInputs inputs = OnnxInputs::columns;
  OnnxTexts texts = OnnxTexts::strings;
};

/// Adds the inputs of the graph. Fails if a column's name cannot be an input's.
OnnxCells add_cells(OnnxGraph& graph, const LoweredModel& model, const OnnxLayout& layout);

/// The name of the input that holds a column, which reaches the graph as `cell`.
std::string onnx_input(const RawColumn& column, OnnxCell cell, OnnxInputs inputs);

}  // namespace coppice
