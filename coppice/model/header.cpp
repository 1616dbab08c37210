#include "coppice/model/header.h"

#include "coppice/core/fail.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/model/parse_json.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace coppice {

namespace {

using nlohmann::json;

template <class E>
E enum_from(const json& value, const std::string& file) {
  const auto text = value.get<std::string>();
  const auto found = from_name<E>(text);
  if (!found) fail("{}: the model file has the unknown word {}; use a newer coppice", file, cited(text));
  return *found;
}

json column_json(const InputColumn& column) {
  json made{{"name", column.name},
            {"kind", name_of(column.kind)},
            {"fill", column.fill},
            {"indicator", column.indicator},
            {"categories", column.categories}};
  if (column.base != 0) made["base"] = column.base;
  if (column.squash.used()) {
    made["squash"] = {
        {"median", column.squash.median}, {"factor", column.squash.factor}, {"limit", column.squash.limit}};
  }
  if (column.bins() > 0) made["edges"] = column.edges;
  return made;
}

/// Files of earlier versions have neither squashed numbers nor bins nor bases.
InputColumn column_from(const json& from, const std::string& file) {
  InputColumn column{.name = from.at("name"),
                     .kind = enum_from<ColumnKind>(from.at("kind"), file),
                     .fill = from.at("fill"),
                     .indicator = from.at("indicator"),
                     .categories = from.at("categories")};
  column.base = from.value("base", 0.0);
  if (from.contains("squash")) {
    const json& squash = from.at("squash");
    column.squash = {
        .median = squash.at("median"), .factor = squash.at("factor"), .limit = squash.at("limit")};
  }
  if (from.contains("edges")) from.at("edges").get_to(column.edges);
  const bool rising = std::ranges::adjacent_find(column.edges, std::greater_equal{}) == column.edges.end();
  if (!rising || column.edges.size() == 1 || !(column.squash.limit > 0))
    fail("{}: the model file does not fit together; use an intact copy", file);
  return column;
}

json derived_json(const Derived& derived) {
  json made{{"source", derived.source}, {"kind", name_of(derived.kind)}};
  if (derived.kind == DerivedKind::rank) made["order"] = derived.order;
  if (derived.kind == DerivedKind::date || derived.kind == DerivedKind::moment)
    made["origin"] = derived.origin;
  return made;
}

json encoding_json(const Encoding& encoding) {
  json columns = json::array();
  for (const InputColumn& column : encoding.columns) columns.push_back(column_json(column));
  json made{{"task", name_of(encoding.task)},
            {"scale", name_of(encoding.scaling)},
            {"format", name_of(encoding.format)},
            {"ids", encoding.ids},
            {"unused", encoding.unused},
            {"columns", columns},
            {"target",
             {{"name", encoding.target.name},
              {"classes", encoding.target.classes},
              {"mean", encoding.target.mean},
              {"deviation", encoding.target.deviation}}}};
  if (encoding.target.transform != TargetTransform::none) {
    made["target"]["transform"] = name_of(encoding.target.transform);
    made["target"]["spread"] = encoding.target.spread;
  }
  for (const Derived& derived : encoding.derived) made["derived"].push_back(derived_json(derived));
  return made;
}

Encoding encoding_from(const json& from, const std::string& file) {
  Encoding encoding;
  encoding.task = enum_from<Task>(from.at("task"), file);
  encoding.scaling = enum_from<Scaling>(from.at("scale"), file);
  encoding.format = enum_from<Format>(from.at("format"), file);
  from.at("ids").get_to(encoding.ids);
  from.at("unused").get_to(encoding.unused);
  for (const json& column : from.at("columns")) encoding.columns.push_back(column_from(column, file));
  for (const json& derived : from.value("derived", json::array())) {
    encoding.derived.push_back({.source = derived.at("source"),
                                .kind = enum_from<DerivedKind>(derived.at("kind"), file),
                                .origin = derived.value("origin", 0.0),
                                .order = derived.value("order", std::vector<std::string>())});
  }
  const json& target = from.at("target");
  encoding.target = {.name = target.at("name"),
                     .classes = target.at("classes"),
                     .mean = target.at("mean"),
                     .deviation = target.at("deviation")};
  if (target.contains("transform")) {
    encoding.target.transform = enum_from<TargetTransform>(target.at("transform"), file);
    encoding.target.spread = target.at("spread");
  }
  return encoding;
}

json origin_json(const ModelOrigin& origin) {
  return {{"version", origin.version},
          {"optimizer", origin.optimizer},
          {"lambda", origin.lambda},
          {"seed", origin.seed},
          {"epochs", origin.epochs},
          {"phase", origin.phase},
          {"train_rows", origin.train_rows},
          {"validation_rows", origin.validation_rows},
          {"train_loss", origin.train_loss},
          {"validation_error", origin.validation_error},
          {"test_error", origin.test_error ? json(*origin.test_error) : json()}};
}

/// A number that JSON may hold as null: it has no NaN.
double number_or_nan(const json& value) {
  return value.is_null() ? std::nan("") : value.get<double>();
}

ModelOrigin origin_from(const json& from) {
  ModelOrigin origin{.version = from.at("version"),
                     .optimizer = from.at("optimizer"),
                     .lambda = from.at("lambda"),
                     .seed = count_in(from.at("seed")),
                     .epochs = count_in(from.at("epochs")),
                     .phase = from.at("phase"),
                     .train_rows = count_in(from.at("train_rows")),
                     .validation_rows = count_in(from.at("validation_rows")),
                     .train_loss = number_or_nan(from.at("train_loss")),
                     .validation_error = number_or_nan(from.at("validation_error")),
                     .test_error = std::nullopt};
  if (!from.at("test_error").is_null()) origin.test_error = from.at("test_error").get<double>();
  return origin;
}

json conformity_json(const Conformity& conformity) {
  json made{{"rows", conformity.rows}, {"scores", conformity.scores}};
  if (conformity.answers.empty()) return made;
  made["answers"] = conformity.answers;
  made["errors"] = conformity.errors;
  return made;
}

/// Files of earlier versions have none.
Conformity conformity_from(const json& header, const std::string& file) {
  Conformity conformity;
  if (!header.contains("conformity")) return conformity;
  const json& from = header.at("conformity");
  conformity.rows = count_in(from.at("rows"));
  from.at("scores").get_to(conformity.scores);
  if (from.contains("answers")) {
    from.at("answers").get_to(conformity.answers);
    from.at("errors").get_to(conformity.errors);
  }
  if (!conformity.valid()) fail("{}: the model file does not fit together; use an intact copy", file);
  return conformity;
}

json layers_json(const Network<float>& network) {
  json layers = json::array();
  for (const Layer<float>& layer : network.layers) {
    layers.push_back({{"units", layer.weights.rows()}, {"fan_in", layer.weights.cols()}});
    if (!layer.kinks.empty()) layers.back()["kinks"] = layer.kinks;
  }
  if (network.output_scale != 1) layers.back()["scale"] = network.output_scale;
  return layers;
}

/// Claims so many of the numbers that follow the header, or fails.
using Claim = std::function<void(std::size_t rows, std::size_t cols)>;

/// Gives a net the layers that a header tells. False if they do not fit together.
bool shape_net(ModelNet& net, const json& layers, std::size_t inputs, const Claim& claim) {
  std::size_t below = inputs;
  for (const json& layer : layers) {
    const std::size_t units = count_in(layer.at("units"));
    if (layer.at("fan_in") != below || units == 0) return false;
    claim(units, below);
    claim(units, 2);
    net.network.layers.push_back({Matrix<float>(units, below), std::vector<std::uint32_t>(units)});
    const bool hidden = net.network.layers.size() < layers.size();
    if (hidden && net.network.kinks > 0) {
      for (const double offset : layer.at("kinks").get<std::vector<double>>()) {
        if (!(std::abs(offset) <= farthest_kink)) return false;
        net.network.layers.back().kinks.push_back(static_cast<float>(offset));
      }
      if (net.network.layers.back().kinks.size() != units) return false;
    }
    if (hidden && net.network.norm == Norm::batchnorm_affine) {
      claim(units, 2);
      net.network.layers.back().affine = Matrix<float>(units, 2);
    }
    net.statistics.mean.emplace_back(units);
    net.statistics.divisor.emplace_back(units);
    below = units;
  }
  if (net.network.layers.empty()) return false;
  net.network.output_scale = layers.back().value("scale", 1.0F);
  return net.network.output_scale > 0 && std::isfinite(net.network.output_scale);
}

}  // namespace

json model_header(const ModelParts& model) {
  json header{
      {"encoding", encoding_json(model.encoding)},     {"activation", name_of(model.network.activation)},
      {"norm", name_of(model.network.norm)},           {"output_capnorm", model.network.output_capnorm},
      {"prior_offset", !model.network.offset.empty()}, {"temperature", model.temperature},
      {"layers", layers_json(model.network)},          {"origin", origin_json(model.origin)}};
  if (model.network.kinks > 0) header["kinks"] = model.network.kinks;
  if (model.conformity.rows > 0) header["conformity"] = conformity_json(model.conformity);
  if (model.nets() == 1) return header;
  header["plain"] = model.plain;
  for (const ModelNet& net : model.others)
    header["others"].push_back({{"layers", layers_json(net.network)}, {"plain", net.plain}});
  return header;
}

ModelParts model_from_header(const json& header, std::size_t values, const std::string& name) {
  ModelParts model;
  model.encoding = encoding_from(header.at("encoding"), name);
  model.network.activation = enum_from<Activation>(header.at("activation"), name);
  // Files of earlier versions do not say: they all had CapNorm.
  if (header.contains("norm")) model.network.norm = enum_from<Norm>(header.at("norm"), name);
  model.network.output_capnorm = header.at("output_capnorm");
  model.network.kinks = header.value("kinks", 0.0);
  model.temperature = header.at("temperature");
  model.origin = origin_from(header.at("origin"));
  model.conformity = conformity_from(header, name);
  model.plain = header.value("plain", false);

  const auto broken = [&] { fail("{}: the model file does not fit together; use an intact copy", name); };
  std::size_t inputs = 0;
  for (const InputColumn& column : model.encoding.columns) inputs += column.width();
  const std::size_t plain_inputs = model.encoding.plain_inputs().size();
  const bool classification = model.encoding.task == Task::classification;
  const std::size_t outputs = classification ? model.encoding.target.classes.size() : 1;
  const bool prior_offset = header.at("prior_offset");
  std::size_t left = values;
  const Claim claim = [&](std::size_t rows, std::size_t cols) {
    if (cols != 0 && rows > left / cols) broken();
    left -= rows * cols;
  };
  claim(2, inputs);
  const auto add_layers = [&](ModelNet& net, const json& layers) {
    const bool fits =
        shape_net(net, layers, net.plain ? plain_inputs : inputs, claim) && net.network.outputs() == outputs;
    if (!fits) broken();
    if (!prior_offset) return;
    claim(outputs, 1);
    net.network.offset.resize(outputs);
  };
  if (inputs == 0) broken();
  const Network<float> kind = model.network;  // without layers
  add_layers(model, header.at("layers"));
  for (const json& other : header.value("others", json::array())) {
    model.others.push_back({.network = kind, .statistics = {}, .plain = other.at("plain")});
    add_layers(model.others.back(), other.at("layers"));
  }
  if (left != 0 || !(model.temperature > 0)) broken();
  model.encoding.offset.resize(inputs);
  model.encoding.factor.resize(inputs);
  return model;
}

}  // namespace coppice
