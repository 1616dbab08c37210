#include "coppice/exports/onnx_cells.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/exports/onnx_texts.h"
#include "coppice/exports/onnx_times.h"

#include <algorithm>
#include <span>
#include <utility>

namespace coppice {

namespace {

using Name = OnnxGraph::Name;

/// Of the inputs that hold all columns of a kind, in the order of OnnxCell.
constexpr std::array<std::string_view, 3> matrix_names{"X", "X_texts", "X_times"};

const std::pair<std::string, OnnxSetting> along_columns{"axis", std::int64_t{1}};

OnnxType type_of(OnnxCell cell, OnnxTexts texts) {
  if (cell == OnnxCell::number) return OnnxType::float32;
  if (cell == OnnxCell::time) return OnnxType::float64;
  return texts == OnnxTexts::codes ? OnnxType::int64 : OnnxType::string;
}

bool of_time(CellPart part) {
  return part == CellPart::day || part == CellPart::month || part == CellPart::weekday ||
         part == CellPart::hour;
}

/// Whether times of the column have a date.
bool dated(const LoweredModel& model, std::size_t column) {
  return std::ranges::any_of(model.features, [&](const Feature& feature) {
    return feature.column == column && feature.part == CellPart::day;
  });
}

std::vector<std::size_t> columns_of(const LoweredModel& model, OnnxCell cell) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < model.columns.size(); ++c) {
    if (onnx_cell(model, c) == cell) columns.push_back(c);
  }
  return columns;
}

/// One tensor per column of this kind, or one for all of them.
std::vector<Name> input_tensors(OnnxGraph& graph, const LoweredModel& model, OnnxCell cell,
                                const OnnxLayout& layout) {
  const std::vector<std::size_t> columns = columns_of(model, cell);
  if (columns.empty()) return {};
  const OnnxType type = type_of(cell, layout.texts);
  if (layout.inputs == OnnxInputs::matrix)
    return {graph.input(onnx_input(model, columns.front(), layout.inputs), type, columns.size())};
  std::vector<Name> names;
  for (const std::size_t column : columns) {
    const std::string name = onnx_input(model, column, layout.inputs);
    if (!graph.reserve(name)) {
      fail_option("onnx-inputs",
                  "`onnx-inputs` columns: no input of the graph can be named {}; use `onnx-inputs` matrix",
                  cited(name));
    }
    names.push_back(graph.input(name, type, 1));
  }
  return names;
}

/// The tensors of raw columns, one column wide; those of other kinds have no name.
std::vector<Name> single_columns(OnnxGraph& graph, const LoweredModel& model, OnnxCell cell,
                                 const std::vector<Name>& tensors) {
  const std::vector<std::size_t> columns = columns_of(model, cell);
  std::vector<Name> singles(model.columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (tensors.size() == columns.size()) {
      singles[columns[i]] = tensors[i];
      continue;
    }
    const auto place = static_cast<std::int64_t>(i);
    const Name chosen = graph.constant(std::span(&place, 1), {1});
    singles[columns[i]] = graph.node("Gather", {tensors.front(), chosen}, {along_columns});
  }
  return singles;
}

}  // namespace

OnnxCell onnx_cell(const LoweredModel& model, std::size_t column) {
  const bool time = std::ranges::any_of(model.features, [&](const Feature& feature) {
    return feature.column == column && of_time(feature.part);
  });
  if (time) return OnnxCell::time;
  return model.columns[column].kind == ColumnKind::number ? OnnxCell::number : OnnxCell::text;
}

std::string onnx_input(const LoweredModel& model, std::size_t column, OnnxInputs inputs) {
  if (inputs == OnnxInputs::columns) return model.columns[column].name;
  return std::string(matrix_names.at(static_cast<std::size_t>(onnx_cell(model, column))));
}

OnnxCells add_cells(OnnxGraph& graph, const LoweredModel& model, const OnnxLayout& layout) {
  if (layout.inputs == OnnxInputs::matrix) {
    for (const std::string_view name : matrix_names) graph.reserve(std::string(name));
  }
  std::vector<Name> numbers = input_tensors(graph, model, OnnxCell::number, layout);
  const std::vector<Name> texts = input_tensors(graph, model, OnnxCell::text, layout);
  const std::vector<Name> times = input_tensors(graph, model, OnnxCell::time, layout);
  OnnxCells cells;
  cells.codes = single_columns(graph, model, OnnxCell::text, texts);
  for (std::size_t c = 0; c < cells.codes.size(); ++c) {
    if (!cells.codes[c].empty() && layout.texts == OnnxTexts::strings)
      cells.codes[c] = add_codes(graph, model, c, cells.codes[c]);
  }
  const std::vector<Name> seconds = single_columns(graph, model, OnnxCell::time, times);
  // Numbers that stand in the table come first: in a matrix they stay as they are.
  for (std::size_t f = 0; f < model.features.size(); ++f) {
    if (model.features[f].part == CellPart::number) cells.features.push_back(f);
  }
  for (std::size_t f = 0; f < model.features.size(); ++f) {
    const Feature& feature = model.features[f];
    if (feature.part == CellPart::number || feature.part == CellPart::category) continue;
    cells.features.push_back(f);
    numbers.push_back(
        feature.part == CellPart::rank
            ? add_rank(graph, model, feature, cells.codes[feature.column])
            : add_time_part(graph, seconds[feature.column], feature, dated(model, feature.column)));
  }
  if (numbers.size() == 1) cells.numbers = numbers.front();
  if (numbers.size() > 1) cells.numbers = graph.node("Concat", numbers, {along_columns});
  return cells;
}

}  // namespace coppice
