#include "coppice/exports/onnx_graph.h"

#include "coppice/core/bytes.h"
#include "coppice/version.h"

#include <array>
#include <type_traits>

#include <fmt/format.h>

namespace coppice {

namespace {

// The first versions that have all that is used here, so that old programs read the file too.
constexpr std::int64_t ir_version = 7;
constexpr std::int64_t ml_opset = 2;
constexpr std::string_view ml_domain = "ai.onnx.ml";

// Numbers of fields, from onnx.proto.
namespace model_field {
constexpr std::uint32_t ir_version = 1, producer = 2, producer_version = 3, graph = 7, opset = 8, told = 14;
}
namespace graph_field {
constexpr std::uint32_t node = 1, name = 2, tensor = 5, input = 11, output = 12;
}
namespace node_field {
constexpr std::uint32_t input = 1, output = 2, name = 3, op = 4, setting = 5, domain = 7;
}
namespace setting_field {
constexpr std::uint32_t name = 1, real = 2, whole = 3, reals = 7, wholes = 8, texts = 9, type = 20;
}
namespace tensor_field {
constexpr std::uint32_t size = 1, type = 2, text = 6, name = 8, raw = 9;
}
constexpr std::uint32_t opset_domain = 1, opset_version = 2;
constexpr std::uint32_t told_key = 1, told_value = 2;
constexpr std::uint32_t value_name = 1, value_type = 2;
constexpr std::uint32_t tensor_type = 1, element_type = 1, type_shape = 2, shape_size = 1;
constexpr std::uint32_t size_known = 1, size_named = 2;

/// ONNX's numbers for the alternatives of OnnxSetting.
constexpr std::array<std::int64_t, 5> setting_types{2, 1, 7, 6, 8};

ProtoMessage setting_message(const std::string& name, const OnnxSetting& setting) {
  using namespace setting_field;
  ProtoMessage message;
  message.put(setting_field::name, name);
  std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::int64_t>) message.put(whole, value);
        if constexpr (std::is_same_v<T, float>) message.put(real, value);
        if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
          for (const std::int64_t one : value) message.put(wholes, one);
        if constexpr (std::is_same_v<T, std::vector<float>>)
          for (const float one : value) message.put(reals, one);
        if constexpr (std::is_same_v<T, std::vector<std::string>>)
          for (const std::string& one : value) message.put(texts, one);
      },
      setting);
  message.put(type, setting_types.at(setting.index()));
  return message;
}

ProtoMessage value_message(const std::string& name, OnnxType type, std::optional<std::size_t> columns) {
  ProtoMessage rows;
  rows.put(size_named, std::string_view("rows"));
  ProtoMessage shape;
  shape.put(shape_size, rows);
  if (columns) {
    ProtoMessage size;
    size.put(size_known, static_cast<std::int64_t>(*columns));
    shape.put(shape_size, size);
  }
  ProtoMessage tensor;
  tensor.put(element_type, static_cast<std::int64_t>(type));
  tensor.put(type_shape, shape);
  ProtoMessage whole;
  whole.put(tensor_type, tensor);
  ProtoMessage value;
  value.put(value_name, name);
  value.put(value_type, whole);
  return value;
}

ProtoMessage tensor_message(const std::string& name, OnnxType type, const OnnxGraph::Shape& shape) {
  ProtoMessage tensor;
  for (const std::size_t size : shape) tensor.put(tensor_field::size, static_cast<std::int64_t>(size));
  tensor.put(tensor_field::type, static_cast<std::int64_t>(type));
  tensor.put(tensor_field::name, name);
  return tensor;
}

template <class T>
std::string raw_bytes(std::span<const T> values) {
  ByteWriter writer;
  writer.put_all(values);
  return writer.bytes();
}

ProtoMessage opset_message(std::string_view domain, std::int64_t version) {
  ProtoMessage message;
  message.put(opset_domain, domain);
  message.put(opset_version, version);
  return message;
}

}  // namespace

OnnxGraph::Name OnnxGraph::fresh(std::string_view stem) {
  Name name;
  do name = fmt::format("{}_{}", stem, made_++);
  while (!names_.insert(name).second);
  return name;
}

OnnxGraph::Name OnnxGraph::input(const Name& name, OnnxType type, std::size_t columns) {
  graph_.put(graph_field::input, value_message(name, type, columns));
  return name;
}

void OnnxGraph::output(const Name& name, OnnxType type, std::optional<std::size_t> columns) {
  graph_.put(graph_field::output, value_message(name, type, columns));
}

OnnxGraph::Name OnnxGraph::add_constant(OnnxType type, std::string_view raw, const Shape& shape) {
  const Name name = fresh("constant");
  ProtoMessage tensor = tensor_message(name, type, shape);
  tensor.put(tensor_field::raw, raw);
  graph_.put(graph_field::tensor, tensor);
  return name;
}

OnnxGraph::Name OnnxGraph::constant(std::span<const float> values, const Shape& shape) {
  return add_constant(OnnxType::float32, raw_bytes(values), shape);
}

OnnxGraph::Name OnnxGraph::constant(std::span<const double> values, const Shape& shape) {
  return add_constant(OnnxType::float64, raw_bytes(values), shape);
}

OnnxGraph::Name OnnxGraph::constant(std::span<const std::int64_t> values, const Shape& shape) {
  return add_constant(OnnxType::int64, raw_bytes(values), shape);
}

OnnxGraph::Name OnnxGraph::constant(std::span<const std::string> values, const Shape& shape) {
  const Name name = fresh("constant");
  ProtoMessage tensor = tensor_message(name, OnnxType::string, shape);
  for (const std::string& text : values) tensor.put(tensor_field::text, text);
  graph_.put(graph_field::tensor, tensor);
  return name;
}

OnnxGraph::Name OnnxGraph::node(std::string_view op, const std::vector<Name>& inputs,
                                const OnnxSettings& settings, const Name& as) {
  const Name made = as.empty() ? fresh(op) : as;
  ProtoMessage node;
  for (const Name& input : inputs) node.put(node_field::input, input);
  node.put(node_field::output, made);
  node.put(node_field::name, made);
  node.put(node_field::op, op);
  for (const auto& [name, setting] : settings) node.put(node_field::setting, setting_message(name, setting));
  if (op == "LabelEncoder") {
    node.put(node_field::domain, ml_domain);
    uses_ml_ = true;
  }
  graph_.put(graph_field::node, node);
  return made;
}

std::string OnnxGraph::file(const std::vector<std::pair<std::string, std::string>>& told,
                            std::size_t opset) const {
  ProtoMessage graph = graph_;
  graph.put(graph_field::name, std::string_view("coppice"));
  ProtoMessage model;
  model.put(model_field::ir_version, ir_version);
  model.put(model_field::producer, std::string_view("coppice"));
  model.put(model_field::producer_version, version());
  model.put(model_field::graph, graph);
  model.put(model_field::opset, opset_message("", static_cast<std::int64_t>(opset)));
  if (uses_ml_) model.put(model_field::opset, opset_message(ml_domain, ml_opset));
  for (const auto& [key, value] : told) {
    ProtoMessage entry;
    entry.put(told_key, key);
    entry.put(told_value, value);
    model.put(model_field::told, entry);
  }
  return model.bytes();
}

}  // namespace coppice
