#include "coppice/model/model_json.h"

#include "coppice/model/header.h"

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

/// Weights as trained, first layer to output: fan_in has one row per unit.
void add_weights(Json& layer, const ModelParts& model, std::size_t l) {
  const Matrix<float>& weights = model.network.layers[l].weights;
  const Matrix<float>& affine = model.network.layers[l].affine;
  layer["fan_in"] = Json::array();
  for (std::size_t j = 0; j < weights.rows(); ++j) layer["fan_in"].push_back(weights.row(j));
  layer["mean"] = model.statistics.mean[l];
  layer["divisor"] = model.statistics.divisor[l];
  for (std::size_t j = 0; j < affine.rows(); ++j) {
    layer["scale"].push_back(affine(j, 0));
    layer["shift"].push_back(affine(j, 1));
  }
}

}  // namespace

Json model_json(const Model& model, bool weights) {
  const ModelParts& parts = model.parts();
  Json json = model_header(parts);
  json["hidden_units"] = model.hidden_units();
  json["parameters"] = model.parameters();
  json["inputs"] = model.input_names();
  if (weights) {
    json["input_offset"] = parts.encoding.offset;
    json["input_factor"] = parts.encoding.factor;
    if (!parts.network.offset.empty()) json["class_offset"] = parts.network.offset;
  }
  Json layers = Json::array();
  for (std::size_t l = 0; l < parts.network.layers.size(); ++l) {
    const Matrix<float>& matrix = parts.network.layers[l].weights;
    Json layer{{"units", matrix.rows()}, {"inputs", matrix.cols()}};
    if (weights) add_weights(layer, parts, l);
    layers.push_back(std::move(layer));
  }
  json["layers"] = std::move(layers);
  return json;
}

}  // namespace coppice
