#include "coppice/model/model_json.h"

#include "coppice/model/header.h"

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

/// Weights as trained, first layer to output: fan_in has one row per unit.
void add_weights(Json& layer, const ModelNet& net, std::size_t l) {
  const Matrix<float>& weights = net.network.layers[l].weights;
  const Matrix<float>& affine = net.network.layers[l].affine;
  layer["fan_in"] = Json::array();
  for (std::size_t j = 0; j < weights.rows(); ++j) layer["fan_in"].push_back(weights.row(j));
  layer["mean"] = net.statistics.mean[l];
  layer["divisor"] = net.statistics.divisor[l];
  for (std::size_t j = 0; j < affine.rows(); ++j) {
    layer["scale"].push_back(affine(j, 0));
    layer["shift"].push_back(affine(j, 1));
  }
}

Json net_layers(const ModelNet& net, bool weights) {
  Json layers = Json::array();
  for (std::size_t l = 0; l < net.network.layers.size(); ++l) {
    const Matrix<float>& matrix = net.network.layers[l].weights;
    Json layer{{"units", matrix.rows()}, {"inputs", matrix.cols()}};
    if (weights) add_weights(layer, net, l);
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace

Json model_json(const Model& model, bool weights) {
  const ModelParts& parts = model.parts();
  Json json = model_header(parts);
  json["nets"] = model.nets();
  json["hidden_units"] = model.hidden_units();
  json["parameters"] = model.parameters();
  json["inputs"] = model.input_names();
  if (weights) {
    json["input_offset"] = parts.encoding.offset;
    json["input_factor"] = parts.encoding.factor;
    if (!parts.network.offset.empty()) json["class_offset"] = parts.network.offset;
  }
  json["layers"] = net_layers(parts, weights);
  for (std::size_t n = 1; n < model.nets(); ++n) {
    Json& other = json["others"][n - 1];
    other["hidden_units"] = model.hidden_units(n);
    if (weights && !parts.net(n).network.offset.empty()) other["class_offset"] = parts.net(n).network.offset;
    other["layers"] = net_layers(parts.net(n), weights);
  }
  return json;
}

}  // namespace coppice
