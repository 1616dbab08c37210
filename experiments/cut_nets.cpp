#include "experiments/cut_nets.h"

#include "coppice/core/fail.h"
#include "coppice/device/rows.h"
#include "coppice/model/parts.h"
#include "coppice/network/resize.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace coppice::experiments {

namespace {

/// |fan-in| |fan-out| of every unit of a hidden layer.
std::vector<double> importance_of(const Network<float>& network, std::size_t layer) {
  const Matrix<float>& fan_ins = network.layers[layer].weights;
  const Matrix<float>& above = network.layers[layer + 1].weights;
  std::vector<double> lengths(fan_ins.rows());
  row_lengths(fan_ins.view(), std::span(lengths));
  for (std::size_t j = 0; j < lengths.size(); ++j) {
    double square = 0;
    for (std::size_t k = 0; k < above.rows(); ++k)
      square += static_cast<double>(above(k, j)) * static_cast<double>(above(k, j));
    lengths[j] *= std::sqrt(square);
  }
  return lengths;
}

/// Ids of those that were there at the end, as the net has them: in the order in which they came.
std::vector<const Life*> survivors(const Lives& lives, std::size_t layer) {
  std::vector<const Life*> all;
  for (const Life& life : lives.layer(layer))
    if (life.fate == Fate::survived) all.push_back(&life);
  std::ranges::sort(all, {}, &Life::unit);
  return all;
}

/// Ids of the units that a new unit of the layer above found, in their order.
std::vector<std::size_t> found_at_birth(const Lives& lives, std::size_t layer, const Life& born) {
  std::vector<std::size_t> ids;
  for (const Life& life : lives.layer(layer)) {
    const bool there = born.born == 0 ? life.born == 0
                                      : life.unit < born.unit && life.fate != Fate::unlearned &&
                                            (life.fate == Fate::survived || life.end > born.born);
    if (there) ids.push_back(life.unit);
  }
  std::ranges::sort(ids);
  return ids;
}

/// The weights that a unit was born with, for those of its inputs that are left.
void set_back_unit(std::span<float> weights, const std::vector<std::size_t>& then,
                   const std::vector<std::size_t>& now, std::span<const float> drawn) {
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto place = std::ranges::lower_bound(then, now[i]);
    const bool was_there = place != then.end() && *place == now[i];
    weights[i] = was_there ? drawn[static_cast<std::size_t>(place - then.begin())] : 0.0F;
  }
}

}  // namespace

Model with_networks(const Model& model, std::vector<Network<float>> networks) {
  ModelParts parts = model.parts();
  parts.others.resize(networks.size() - 1);
  for (std::size_t i = 0; i < networks.size(); ++i) {
    ModelNet& net = parts.net(i);
    net.statistics = {};
    for (const Layer<float>& layer : networks[i].layers) {
      net.statistics.mean.emplace_back(layer.weights.rows());
      net.statistics.divisor.emplace_back(layer.weights.rows(), 1.0F);
    }
    net.network = std::move(networks[i]);
  }
  return Model(std::move(parts));
}

Network<float> cut_to(Network<float> network, const std::vector<std::size_t>& units) {
  if (units.size() + 1 != network.layers.size())
    fail("a net of {} hidden layers cannot be cut to {}", network.layers.size() - 1, units.size());
  // Importances are those of the whole net: what one layer loses must not decide about another.
  std::vector<ResizePlan> plans;
  for (std::size_t l = 0; l < units.size(); ++l) {
    const std::vector<double> importance = importance_of(network, l);
    std::vector<std::size_t> order(importance.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t j) { return importance[j]; });
    order.resize(std::min(order.size(), units[l]));
    std::ranges::sort(order);
    plans.push_back({.layer = l, .keep = order, .added = {}});
  }
  for (const ResizePlan& plan : plans) resize(network, plan);
  return network;
}

Network<float> set_back(const Network<float>& found, const Lives& lives, std::uint64_t seed) {
  Network<float> network = found;
  const std::size_t hidden = network.layers.size() - 1;
  std::vector<std::size_t> below;  // ids of the layer below that are left
  for (std::size_t l = 0; l <= hidden; ++l) {
    Matrix<float>& weights = network.layers[l].weights;
    std::vector<Life> outputs(l == hidden ? weights.rows() : 0);  // output units were there from the start
    std::vector<const Life*> units;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      outputs[k].unit = k;
      units.push_back(&outputs[k]);
    }
    if (l < hidden) units = survivors(lives, l);
    if (units.size() != weights.rows())
      fail("the journal tells of {} units in layer {}, the net has {}", units.size(), l + 1, weights.rows());
    for (std::size_t j = 0; j < units.size(); ++j) {
      const Birth birth = units[j]->born == 0 ? Birth::initial : Birth::added;
      const auto id = static_cast<std::uint32_t>(units[j]->unit);
      if (l == 0) {
        draw_fan_in(weights.row(j), birth, seed, l, id);
        continue;
      }
      const std::vector<std::size_t> then = found_at_birth(lives, l - 1, *units[j]);
      std::vector<float> drawn(then.size());
      draw_fan_in(std::span(drawn), birth, seed, l, id);
      set_back_unit(weights.row(j), then, below, drawn);
    }
    below.clear();
    for (const Life* life : units) below.push_back(life->unit);
  }
  return network;
}

}  // namespace coppice::experiments
