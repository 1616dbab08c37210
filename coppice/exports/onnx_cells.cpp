#include "coppice/exports/onnx_cells.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/orders.h"
#include "coppice/exports/onnx_times.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace coppice {

namespace {

using Name = OnnxGraph::Name;

/// Of the inputs that hold all columns of a kind, in the order of OnnxCell.
constexpr std::array<std::string_view, 3> matrix_names{"X", "X_texts", "X_times"};

constexpr std::array<OnnxType, 3> cell_types{OnnxType::float32, OnnxType::string, OnnxType::float64};

const std::pair<std::string, OnnxSetting> along_columns{"axis", std::int64_t{1}};

template <class T>
const T& of_cell(const std::array<T, 3>& list, OnnxCell cell) {
  return list.at(static_cast<std::size_t>(cell));
}

bool of_time(CellPart part) {
  return part == CellPart::day || part == CellPart::month || part == CellPart::weekday ||
         part == CellPart::hour;
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
                                OnnxInputs inputs) {
  const std::vector<std::size_t> columns = columns_of(model, cell);
  if (columns.empty()) return {};
  const OnnxType type = of_cell(cell_types, cell);
  if (inputs == OnnxInputs::matrix)
    return {graph.input(onnx_input(model, columns.front(), inputs), type, columns.size())};
  std::vector<Name> names;
  for (const std::size_t column : columns) {
    const std::string name = onnx_input(model, column, inputs);
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

std::string capitalised(std::string word) {
  if (!word.empty()) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

std::string in_capitals(std::string word) {
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word;
}

/// The spellings of the words that a graph can tell: those of training, small letters, capitals, a capital first.
std::map<std::string, float> ranks_of(const LoweredModel& model, const Feature& rank) {
  std::map<std::string, float> ranks;
  std::vector<std::string> seen;
  for (const Feature& feature : model.features) {
    if (feature.column == rank.column && feature.part == CellPart::category) seen = feature.categories;
  }
  for (std::size_t k = 0; k < rank.words.size(); ++k) {
    const std::string& word = rank.words[k];
    const auto value = static_cast<float>(k);
    for (const std::string& text : {word, capitalised(word), in_capitals(word)}) ranks.emplace(text, value);
    for (const std::string& text : seen) {
      if (plain_words(text) == word) ranks.emplace(text, value);
    }
  }
  return ranks;
}

Name add_rank(OnnxGraph& graph, const LoweredModel& model, const Feature& feature, const Name& texts) {
  std::vector<std::string> words;
  std::vector<float> values;
  for (const auto& [word, value] : ranks_of(model, feature)) {
    words.push_back(word);
    values.push_back(value);
  }
  return graph.node("LabelEncoder", {texts},
                    {{"keys_strings", words},
                     {"values_floats", values},
                     {"default_float", std::numeric_limits<float>::quiet_NaN()}});
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
  return std::string(of_cell(matrix_names, onnx_cell(model, column)));
}

OnnxCells add_cells(OnnxGraph& graph, const LoweredModel& model, OnnxInputs inputs) {
  if (inputs == OnnxInputs::matrix) {
    for (const std::string_view name : matrix_names) graph.reserve(std::string(name));
  }
  std::vector<Name> numbers = input_tensors(graph, model, OnnxCell::number, inputs);
  const std::vector<Name> texts = input_tensors(graph, model, OnnxCell::text, inputs);
  const std::vector<Name> times = input_tensors(graph, model, OnnxCell::time, inputs);
  OnnxCells cells;
  cells.texts = single_columns(graph, model, OnnxCell::text, texts);
  const std::vector<Name> seconds = single_columns(graph, model, OnnxCell::time, times);
  // Numbers that stand in the table come first: in a matrix they stay as they are.
  for (std::size_t f = 0; f < model.features.size(); ++f) {
    if (model.features[f].part == CellPart::number) cells.features.push_back(f);
  }
  for (std::size_t f = 0; f < model.features.size(); ++f) {
    const Feature& feature = model.features[f];
    const bool dated = std::ranges::any_of(model.features, [&](const Feature& other) {
      return other.column == feature.column && other.part == CellPart::day;
    });
    if (of_time(feature.part))
      numbers.push_back(add_time_part(graph, seconds[feature.column], feature, dated));
    if (feature.part == CellPart::rank)
      numbers.push_back(add_rank(graph, model, feature, cells.texts[feature.column]));
    if (of_time(feature.part) || feature.part == CellPart::rank) cells.features.push_back(f);
  }
  if (numbers.size() == 1) cells.numbers = numbers.front();
  if (numbers.size() > 1) cells.numbers = graph.node("Concat", numbers, {along_columns});
  return cells;
}

}  // namespace coppice
