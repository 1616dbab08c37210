#pragma once

#include "coppice/core/text.h"
#include "coppice/data/moment.h"
#include "coppice/data/orders.h"
#include "coppice/device/activation.h"
#include "coppice/exports/lowered.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace coppice::test {

/// A lowered model, walked step by step in plain float.
class Interpreter {
 public:
  explicit Interpreter(const LoweredModel& model) : model_(model) {}

  /// Probabilities of the classes, or the value.
  std::vector<double> answer(const Table& table, std::size_t row) const {
    const std::vector<float> x = inputs(table, row);
    std::vector<float> scores(model_.outputs());
    for (const LoweredNet& net : model_.nets) {
      const std::vector<float> y = outputs(net, x);
      for (std::size_t k = 0; k < y.size(); ++k) scores[k] += y[k];
    }
    for (float& score : scores) score /= static_cast<float>(model_.nets.size());
    if (model_.task == Task::regression) {
      const double plain = model_.target.mean + model_.target.deviation * scores[0];
      return {model_.target.ceiling ? std::exp(std::min(plain, *model_.target.ceiling)) : plain};
    }
    const float top = *std::ranges::max_element(scores);
    std::vector<double> chances;
    double sum = 0;
    for (const float score : scores) {
      chances.push_back(std::exp((score - top) / model_.temperature));
      sum += chances.back();
    }
    for (double& chance : chances) chance /= sum;
    return chances;
  }

  /// The network inputs of a row.
  std::vector<float> inputs(const Table& table, std::size_t row) const {
    std::vector<double> raw(model_.inputs.size());
    for (const Feature& feature : model_.features) {
      const std::string text = table.text(model_.columns[feature.column].name, row);
      if (feature.part == CellPart::category) {
        const auto at = std::ranges::find(feature.categories, text) - feature.categories.begin();
        raw[feature.first_input + static_cast<std::size_t>(at)] = 1;
        continue;
      }
      float x = number(feature, text);
      if (std::isnan(x)) {
        x = feature.fill;
        if (feature.indicator) raw[feature.first_input + 1] = 1;
      }
      raw[feature.first_input] = x;
      if (feature.squash.used()) {
        raw[feature.first_input] = squashed(x, feature.squash);
      }
      for (std::size_t t = 0; t < feature.bins(); ++t) {
        const float low = feature.edges[t];
        const float width = feature.edges[t + 1] - low;
        raw[feature.first_bin() + t] = std::clamp((x - low) / width, 0.0F, 1.0F);
      }
    }
    std::vector<float> x;
    for (std::size_t i = 0; i < raw.size(); ++i)
      x.push_back((static_cast<float>(raw[i]) - model_.inputs[i].offset) * model_.inputs[i].factor);
    return x;
  }

 private:
  /// Far out, the square of the share would be beyond float.
  static float squashed(float x, const Squash& squash) {
    const float z = (x - squash.median) * squash.factor;
    const float share = z / squash.limit;
    if (std::fabs(share) <= 1) return z / std::sqrt(1 + share * share);
    return std::copysign(squash.limit, z) / std::sqrt(1 + 1 / share / share);
  }

  static float number(const Feature& feature, const std::string& text) {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    if (text.empty()) return none;
    if (feature.part == CellPart::number)
      return static_cast<float>(parse_number(text).value() - feature.origin);
    if (feature.part == CellPart::rank) {
      const auto found = std::ranges::find(feature.words, plain_words(text));
      return found == feature.words.end() ? none : static_cast<float>(found - feature.words.begin());
    }
    const Moment moment = parse_moment(text).value();
    if (feature.part == CellPart::day) return static_cast<float>(moment.days - feature.origin);
    if (feature.part == CellPart::month) return static_cast<float>(moment.month);
    if (feature.part == CellPart::weekday) return static_cast<float>(moment.weekday);
    return static_cast<float>(moment.hour);
  }

  static float activated(Activation activation, float y) {
    if (activation == Activation::relu) return y > 0 ? y : 0;
    if (activation == Activation::leaky_relu) return y > 0 ? y : 0.01F * y;
    if (activation == Activation::abs) return std::fabs(y);
    if (activation == Activation::tanh) return std::tanh(y);
    return y;
  }

  static std::vector<float> outputs(const LoweredNet& net, const std::vector<float>& all) {
    std::vector<float> x;
    for (const std::uint32_t input : net.inputs) x.push_back(all[input]);
    for (const DenseLayer& layer : net.layers) {
      std::vector<float> next = layer.bias;
      for (std::size_t j = 0; j < next.size(); ++j) {
        for (std::size_t i = 0; i < x.size(); ++i) next[j] += layer.weights(j, i) * x[i];
        next[j] = activated(layer.activation, next[j]);
      }
      x = std::move(next);
    }
    return x;
  }

  const LoweredModel& model_;
};

}  // namespace coppice::test
