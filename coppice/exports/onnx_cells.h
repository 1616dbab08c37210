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
};
template <>
inline constexpr std::array<std::string_view, 3> names_of<OnnxCell>{"number", "text", "time"};

/// Dates and times are no texts in a graph: it has no means to read them.
OnnxCell onnx_cell(const LoweredModel& model, std::size_t column);

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

/// The name of the input that holds a column.
std::string onnx_input(const LoweredModel& model, std::size_t column, OnnxInputs inputs);

}  // namespace coppice
