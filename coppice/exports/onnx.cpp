#include "coppice/exports/onnx.h"

#include "coppice/core/fail.h"
#include "coppice/device/activation.h"
#include "coppice/exports/onnx_cells.h"
#include "coppice/exports/onnx_graph.h"
#include "coppice/exports/onnx_inputs.h"
#include "coppice/exports/onnx_texts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

namespace {

using Name = OnnxGraph::Name;

// Outputs have the names that scikit-learn's converter gives them.
const std::string label_output = "label";
const std::string chances_output = "probabilities";
const std::string value_output = "variable";

/// The weights of a net's first layer, for the inputs of a block.
Matrix<float> first_weights(const LoweredNet& net, const OnnxBlock& block) {
  const Matrix<float>& weights = net.layers.front().weights;
  Matrix<float> spread(weights.rows(), block.inputs.size());
  std::unordered_map<std::uint32_t, std::size_t> places;
  for (std::size_t i = 0; i < block.inputs.size(); ++i) places.emplace(block.inputs[i], i);
  for (std::size_t i = 0; i < net.inputs.size(); ++i) {
    for (std::size_t j = 0; j < weights.rows(); ++j) spread(j, places.at(net.inputs[i])) = weights(j, i);
  }
  return spread;
}

/// The numbers row by row, without the gaps that a matrix may have between its rows.
std::vector<float> dense(const Matrix<float>& matrix) {
  std::vector<float> values;
  for (std::size_t j = 0; j < matrix.rows(); ++j)
    values.insert(values.end(), matrix.row(j).begin(), matrix.row(j).end());
  return values;
}

Name activated(OnnxGraph& graph, const Name& y, Activation activation) {
  switch (activation) {
    case Activation::relu:
      return graph.node("Relu", {y});
    case Activation::leaky_relu:
      return graph.node("LeakyRelu", {y}, {{"alpha", static_cast<float>(leaky_slope)}});
    case Activation::abs:
      return graph.node("Abs", {y});
    case Activation::tanh:
      return graph.node("Tanh", {y});
    case Activation::identity:
      return y;
  }
  return y;
}

Name add_net(OnnxGraph& graph, const LoweredNet& net, const OnnxNetInputs& inputs) {
  const std::unordered_set<std::uint32_t> plain(inputs.plain.inputs.begin(), inputs.plain.inputs.end());
  const auto in_plain = [&](std::uint32_t input) { return plain.contains(input); };
  const OnnxBlock& block = std::ranges::all_of(net.inputs, in_plain) ? inputs.plain : inputs.all.value();
  Name x = block.tensor;
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    const DenseLayer& layer = net.layers[l];
    const Matrix<float> weights = l == 0 ? first_weights(net, block) : layer.weights;
    const Name w = graph.constant(dense(weights), {weights.rows(), weights.cols()});
    const Name b = graph.constant(layer.bias, {layer.bias.size()});
    x = activated(graph, graph.node("Gemm", {x, w, b}, {{"transB", std::int64_t{1}}}), layer.activation);
  }
  return x;
}

Name add_scores(OnnxGraph& graph, const LoweredModel& model, const OnnxNetInputs& inputs) {
  Name sum = add_net(graph, model.nets.front(), inputs);
  for (std::size_t n = 1; n < model.nets.size(); ++n)
    sum = graph.node("Add", {sum, add_net(graph, model.nets[n], inputs)});
  if (model.nets.size() == 1) return sum;
  return graph.node("Div", {sum, graph.constant(static_cast<float>(model.nets.size()))});
}

/// The classes as whole numbers, if they all are such.
std::optional<std::vector<std::int64_t>> whole_classes(const std::vector<std::string>& classes) {
  std::vector<std::int64_t> numbers;
  for (const std::string& text : classes) {
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || std::to_string(number) != text) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

/// NaN in rows that predict refuses.
void answer(OnnxGraph& graph, const std::optional<Name>& off, const std::string& output,
            const std::string& op, const std::vector<Name>& inputs) {
  if (!off) {
    graph.node(op, inputs, {}, output);
    return;
  }
  const Name none = graph.constant(std::numeric_limits<float>::quiet_NaN());
  graph.node("Where", {*off, none, graph.node(op, inputs)}, {}, output);
}

/// The place of the largest score; `none` in rows that predict refuses.
Name best_place(OnnxGraph& graph, const Name& scores, const std::optional<Name>& off, std::int64_t none,
                const std::string& as = {}) {
  const auto best = [&](std::int64_t kept, const std::string& name) {
    return graph.node("ArgMax", {scores}, {{"axis", std::int64_t{1}}, {"keepdims", kept}}, name);
  };
  if (!off) return best(0, as);
  const std::int64_t columns = 1;
  const Name place = graph.node("Where", {*off, graph.constant(std::span(&none, 1), {}), best(1, {})});
  return graph.node("Squeeze", {place, graph.constant(std::span(&columns, 1), {1})}, {}, as);
}

/// The class of the largest score: a whole number if all classes are such, else its name, or its place among the classes. Rows
/// that predict refuses have a label that is no class, which is returned: the first of -1, -2, ... that is none, or an empty text.
nlohmann::json add_label(OnnxGraph& graph, const std::vector<std::string>& classes, const Name& scores,
                         OnnxTexts texts, const std::optional<Name>& off) {
  const auto count = static_cast<std::int64_t>(classes.size());
  auto numbers = whole_classes(classes);
  const bool by_place = !numbers && texts == OnnxTexts::codes;
  graph.output(label_output, numbers || by_place ? OnnxType::int64 : OnnxType::string, std::nullopt);
  if (by_place) {
    best_place(graph, scores, off, -1, label_output);
    return -1;
  }
  Name names;
  nlohmann::json refused = "";
  if (numbers) {
    std::int64_t none = -1;
    while (std::ranges::find(*numbers, none) != numbers->end()) --none;
    numbers->push_back(none);
    refused = none;
    names = graph.constant(*numbers, {numbers->size()});
  } else {
    std::vector<std::string> told = classes;
    told.emplace_back();
    names = graph.constant(told, {told.size()});
  }
  graph.node("Gather", {names, best_place(graph, scores, off, count)}, {}, label_output);
  return refused;
}

void add_chances(OnnxGraph& graph, const LoweredModel& model, const Name& scores,
                 const std::optional<Name>& off) {
  const Name tempered = graph.node("Div", {scores, graph.constant(static_cast<float>(model.temperature))});
  answer(graph, off, chances_output, "Softmax", {tempered});
  graph.output(chances_output, OnnxType::float32, model.classes.size());
}

void add_value(OnnxGraph& graph, const LoweredTarget& target, const Name& scores,
               const std::optional<Name>& off) {
  const Name spread = graph.node("Mul", {scores, graph.constant(static_cast<float>(target.deviation))});
  const Name mean = graph.constant(static_cast<float>(target.mean));
  graph.output(value_output, OnnxType::float32, 1);
  if (!target.ceiling) {
    answer(graph, off, value_output, "Add", {spread, mean});
    return;
  }
  // What exp makes of more is no number in float32.
  const double most = std::min(*target.ceiling, 88.7);
  const Name logarithm =
      graph.node("Min", {graph.node("Add", {spread, mean}), graph.constant(static_cast<float>(most))});
  answer(graph, off, value_output, "Exp", {logarithm});
}

std::string columns_json(const LoweredModel& model, const OnnxLayout& layout) {
  auto json = nlohmann::ordered_json::array();
  const std::vector<OnnxCell> cells = onnx_cells(model);
  const std::vector<std::vector<const Feature*>> features = features_by_column(model);
  for (std::size_t c = 0; c < model.columns.size(); ++c) {
    const OnnxCell cell = cells[c];
    json.push_back({{"name", model.columns[c].name},
                    {"kind", name_of(cell)},
                    {"input", onnx_input(model.columns[c], cell, layout.inputs)}});
    if (cell == OnnxCell::text) json.back()["texts"] = onnx_texts(features[c]);
  }
  return json.dump();
}

std::vector<std::pair<std::string, std::string>> told_of(const LoweredModel& model,
                                                         const OnnxLayout& layout) {
  std::vector<std::pair<std::string, std::string>> told{{"version", model.origin.version},
                                                        {"task", name_of(model.task)},
                                                        {"target", model.target.name},
                                                        {"columns", columns_json(model, layout)}};
  if (model.task == Task::classification) told.emplace_back("classes", nlohmann::json(model.classes).dump());
  if (std::isfinite(model.origin.validation_error))
    told.emplace_back("validation_error", nlohmann::json(model.origin.validation_error).dump());
  return told;
}

/// Versions of the operators whose meaning is the one that the graph is written for.
constexpr std::size_t oldest_opset = 13;
constexpr std::size_t newest_opset = 17;

std::size_t opset_of(const ExportOptions& options) {
  const std::size_t wanted = options.onnx_opset.value_or(oldest_opset);
  if (wanted < oldest_opset) {
    fail_option("onnx-opset",
                "`onnx-opset` {}: the graph is made of operators of opset {} and later; give one from {} to "
                "{}, or export to c",
                wanted, oldest_opset, oldest_opset, newest_opset);
  }
  if (wanted > newest_opset) {
    fail_option("onnx-opset",
                "`onnx-opset` {}: the graph is made of operators as they are up to opset {}; leave it out, "
                "runtimes of later ones take it",
                wanted, newest_opset);
  }
  return wanted;
}

}  // namespace

std::string onnx_file(const LoweredModel& model, const ExportOptions& options) {
  const std::size_t opset = opset_of(options);
  const bool images = model.scaling == Scaling::global;
  const OnnxLayout layout{
      .inputs = options.onnx_inputs.value_or(images ? OnnxInputs::matrix : OnnxInputs::columns),
      .texts = options.onnx_texts.value_or(OnnxTexts::strings)};
  OnnxGraph graph;
  for (const std::string& output : {label_output, chances_output, value_output}) graph.reserve(output);
  const OnnxCells cells = add_cells(graph, model, layout);
  const OnnxNetInputs inputs = add_inputs(graph, model, cells);
  const Name scores = add_scores(graph, model, inputs);
  auto told = told_of(model, layout);
  if (model.task == Task::classification) {
    const nlohmann::json refused = add_label(graph, model.classes, scores, layout.texts, inputs.off);
    if (inputs.off) told.emplace_back("refused_label", refused.dump());
    add_chances(graph, model, scores, inputs.off);
  } else {
    add_value(graph, model.target, scores, inputs.off);
  }
  return graph.file(told, opset);
}

}  // namespace coppice
