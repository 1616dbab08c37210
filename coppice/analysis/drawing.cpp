#include "coppice/analysis/drawing.h"

#include "coppice/device/rows.h"
#include "coppice/model/folding.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace coppice {

namespace {

/// Indices of the largest values, largest first; what is no number comes last.
std::vector<std::size_t> largest(std::span<const double> values, std::size_t most) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return std::isnan(values[i]) ? -HUGE_VAL : values[i]; });
  if (order.size() > most) order.resize(most);
  return order;
}

std::vector<double> chosen(std::span<const double> values, std::span<const std::size_t> indices) {
  std::vector<double> result;
  for (const std::size_t i : indices) result.push_back(values[i]);
  return result;
}

std::vector<DrawnLayer> draw_layers(const Network<float>& network, std::span<const double> strengths) {
  std::vector<DrawnLayer> layers(network.layers.size() + 1);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    DrawnLayer& layer = layers[l];
    std::vector<double> fan_in(l > 0 ? network.layers[l - 1].weights.rows() : 0);
    if (l > 0) row_lengths(network.layers[l - 1].weights.view(), std::span(fan_in));
    layer.units = l > 0 ? fan_in.size() : strengths.size();
    layer.drawn = largest(l > 0 ? std::span<const double>(fan_in) : strengths, Drawing::most_units);
    if (l + 1 == layers.size()) std::ranges::sort(layer.drawn);
    if (l > 0) layer.fan_in = chosen(fan_in, layer.drawn);
    if (l < network.layers.size()) {
      std::vector<double> fan_out(layer.units);
      column_lengths(network.layers[l].weights.view(), std::span(fan_out));
      layer.fan_out = chosen(fan_out, layer.drawn);
    }
  }
  return layers;
}

/// The strongest connections from layer l to the next one.
std::vector<DrawnLink> links_from(std::size_t l, const Matrix<float>& weights,
                                  const std::vector<DrawnLayer>& layers, std::span<const double> scale) {
  std::vector<DrawnLink> links;
  for (std::size_t to = 0; to < layers[l + 1].drawn.size(); ++to) {
    for (std::size_t from = 0; from < layers[l].drawn.size(); ++from) {
      const std::size_t unit = layers[l].drawn[from];
      const double weight = weights(layers[l + 1].drawn[to], unit) * (l == 0 ? scale[unit] : 1);
      if (std::isfinite(weight) && weight != 0) {
        links.push_back({.layer = l, .from = from, .to = to, .weight = weight});
      }
    }
  }
  std::ranges::stable_sort(links, std::greater{},
                           [](const DrawnLink& link) { return std::abs(link.weight); });
  if (links.size() > Drawing::most_links) links.resize(Drawing::most_links);
  return links;
}

}  // namespace

Drawing draw(const Model& model, std::span<const double> strengths, std::span<const double> deviations) {
  const Network<float>& network = model.folded().front().network;
  const ModelParts& parts = model.parts();
  Network<float> trained = parts.network;
  if (parts.plain) widen(trained, parts.encoding.plain_inputs(), parts.encoding.inputs());
  Drawing drawing{.layers = draw_layers(trained, strengths), .links = {}};
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const std::vector<DrawnLink> links = links_from(l, network.layers[l].weights, drawing.layers, deviations);
    drawing.links.insert(drawing.links.end(), links.begin(), links.end());
  }
  return drawing;
}

}  // namespace coppice
