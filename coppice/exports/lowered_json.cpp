#include "coppice/exports/lowered_json.h"

#include "coppice/device/activation.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

Json feature_json(const Feature& feature, const LoweredModel& model) {
  Json json{{"name", feature.name},
            {"column", model.columns[feature.column].name},
            {"part", name_of(feature.part)},
            {"first_input", feature.first_input},
            {"inputs", feature.inputs}};
  if (feature.part == CellPart::category) {
    json["categories"] = feature.categories;
    return json;
  }
  if (feature.part == CellPart::day || feature.wide()) json["origin"] = feature.origin;
  if (feature.part == CellPart::rank) json["words"] = feature.words;
  json["fill"] = feature.fill;
  json["indicator"] = feature.indicator;
  if (feature.squash.used()) {
    json["squash"] = {{"median", feature.squash.median},
                      {"factor", feature.squash.factor},
                      {"limit", feature.squash.limit}};
  }
  if (feature.bins() > 0) json["edges"] = feature.edges;
  return json;
}

Json net_json(const LoweredNet& net) {
  Json layers = Json::array();
  for (const DenseLayer& layer : net.layers) {
    Json json{{"units", layer.units()}, {"activation", name_of(layer.activation)}};
    if (layer.activation == Activation::leaky_relu) json["slope"] = leaky_slope;
    json["weights"] = Json::array();
    for (std::size_t j = 0; j < layer.units(); ++j) json["weights"].push_back(layer.weights.row(j));
    json["bias"] = layer.bias;
    layers.push_back(std::move(json));
  }
  return {{"inputs", net.inputs}, {"layers", std::move(layers)}};
}

Json origin_json(const ModelOrigin& origin) {
  Json json{{"version", origin.version}, {"train_rows", origin.train_rows}};
  if (std::isfinite(origin.validation_error)) json["validation_error"] = origin.validation_error;
  return json;
}

}  // namespace

Json lowered_json(const LoweredModel& model) {
  const bool wide = std::ranges::any_of(model.features, &Feature::wide);
  Json json{
      {"format", "coppice lowered model"}, {"format_version", wide ? 2 : 1}, {"task", name_of(model.task)}};
  json["target"] = model.target.name;
  json["columns"] = Json::array();
  for (const RawColumn& column : model.columns)
    json["columns"].push_back({{"name", column.name}, {"kind", name_of(column.kind)}});
  json["features"] = Json::array();
  for (const Feature& feature : model.features) json["features"].push_back(feature_json(feature, model));
  json["inputs"] = Json::array();
  for (const InputScale& input : model.inputs)
    json["inputs"].push_back({{"name", input.name}, {"offset", input.offset}, {"factor", input.factor}});
  json["nets"] = Json::array();
  for (const LoweredNet& net : model.nets) json["nets"].push_back(net_json(net));
  if (model.task == Task::classification) {
    json["classes"] = model.classes;
    json["temperature"] = model.temperature;
  } else {
    json["mean"] = model.target.mean;
    json["deviation"] = model.target.deviation;
    if (model.target.ceiling) json["log_ceiling"] = *model.target.ceiling;
  }
  json["origin"] = origin_json(model.origin);
  return json;
}

}  // namespace coppice
