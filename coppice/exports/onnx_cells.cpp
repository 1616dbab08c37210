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
constexpr std::array<std::string_view, 4> matrix_names{"X", "X_texts", "X_times", "X_large"};

const std::pair<std::string, OnnxSetting> along_columns{"axis", std::int64_t{1}};

OnnxType type_of(OnnxCell cell, OnnxTexts texts) {
  if (cell == OnnxCell::number) return OnnxType::float32;
  if (cell == OnnxCell::time || cell == OnnxCell::large) return OnnxType::float64;
  return texts == OnnxTexts::codes ? OnnxType::int64 : OnnxType::string;
}

bool of_time(CellPart part) {
  return part == CellPart::day || part == CellPart::month || part == CellPart::weekday ||
         part == CellPart::hour;
}

/// A number that float32 holds as it is.
bool stands_in_table(const Feature& feature) {
  return feature.part == CellPart::number && !feature.wide();
}

Name add_difference(OnnxGraph& graph, const Name& number, double origin) {
  return graph.node("Cast", {graph.node("Sub", {number, graph.constant(origin)})},
                    {{"to", static_cast<std::int64_t>(OnnxType::float32)}});
}

/// Whether times of each column have a date.
std::vector<bool> dated_columns(const LoweredModel& model) {
  std::vector<bool> dated(model.columns.size());
  for (const Feature& feature : model.features)
    dated[feature.column] = dated[feature.column] || feature.part == CellPart::day;
  return dated;
}

std::vector<std::size_t> columns_of(const LoweredModel& model, OnnxCell cell) {
  std::vector<std::size_t> columns;
  const std::vector<OnnxCell> cells = onnx_cells(model);
  for (std::size_t c = 0; c < model.columns.size(); ++c) {
    if (cells[c] == cell) columns.push_back(c);
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
    return {
        graph.input(onnx_input(model.columns[columns.front()], cell, layout.inputs), type, columns.size())};
  std::vector<Name> names;
  for (const std::size_t column : columns) {
    const std::string name = onnx_input(model.columns[column], cell, layout.inputs);
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

std::vector<OnnxCell> onnx_cells(const LoweredModel& model) {
  std::vector<OnnxCell> cells;
  for (const RawColumn& column : model.columns)
    cells.push_back(column.kind == ColumnKind::number ? OnnxCell::number : OnnxCell::text);
  for (const Feature& feature : model.features) {
    if (of_time(feature.part)) cells[feature.column] = OnnxCell::time;
    if (feature.wide()) cells[feature.column] = OnnxCell::large;
  }
  return cells;
}

std::string onnx_input(const RawColumn& column, OnnxCell cell, OnnxInputs inputs) {
  if (inputs == OnnxInputs::columns) return column.name;
  return std::string(matrix_names.at(static_cast<std::size_t>(cell)));
}

OnnxCells add_cells(OnnxGraph& graph, const LoweredModel& model, const OnnxLayout& layout) {
  if (layout.inputs == OnnxInputs::matrix) {
    for (const std::string_view name : matrix_names) graph.reserve(std::string(name));
  }
  std::vector<Name> numbers = input_tensors(graph, model, OnnxCell::number, layout);
  const std::vector<Name> texts = input_tensors(graph, model, OnnxCell::text, layout);
  const std::vector<Name> times = input_tensors(graph, model, OnnxCell::time, layout);
  const std::vector<Name> large = input_tensors(graph, model, OnnxCell::large, layout);
  const std::vector<bool> dated = dated_columns(model);
  const std::vector<std::vector<const Feature*>> features = features_by_column(model);
  OnnxCells cells;
  cells.codes = single_columns(graph, model, OnnxCell::text, texts);
  for (std::size_t c = 0; c < cells.codes.size(); ++c) {
    if (!cells.codes[c].empty() && layout.texts == OnnxTexts::strings)
      cells.codes[c] = add_codes(graph, features[c], cells.codes[c]);
  }
  const std::vector<Name> seconds = single_columns(graph, model, OnnxCell::time, times);
  const std::vector<Name> wide = single_columns(graph, model, OnnxCell::large, large);
  // Numbers that stand in the table come first: in a matrix they stay as they are.
  for (std::size_t f = 0; f < model.features.size(); ++f) {
    if (stands_in_table(model.features[f])) cells.features.push_back(f);
  }
  for (std::size_t f = 0; f < model.features.size(); ++f) {
    const Feature& feature = model.features[f];
    if (stands_in_table(feature) || feature.part == CellPart::category) continue;
    cells.features.push_back(f);
    numbers.push_back(feature.wide() ? add_difference(graph, wide[feature.column], feature.origin)
                      : feature.part == CellPart::rank
                          ? add_rank(graph, features[feature.column], feature, cells.codes[feature.column])
                          : add_time_part(graph, seconds[feature.column], feature, dated[feature.column]));
  }
  if (numbers.size() == 1) cells.numbers = numbers.front();
  if (numbers.size() > 1) cells.numbers = graph.node("Concat", numbers, {along_columns});
  return cells;
}

}  // namespace coppice
