#pragma once

#include "coppice/network/network.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

// Gradient descents by the book, for everything that computes them.
namespace coppice::descent {

using Vector = std::vector<double>;

/// A weight and all that any of the rules remembers about it.
struct Weight {
  double value = 0;
  double mean = 0;
  double square = 0;
};

/// How one weight moves; `age` counts the steps of its unit, from 1.
using Rule = std::function<void(Weight& weight, double gradient, double step, int age)>;

constexpr double mean_rate = 0.1;
constexpr double square_rate = 0.005;
constexpr double epsilon = 1e-8;

inline void plain_rule(Weight& w, double g, double step, int) {
  w.value -= step * g;
}
inline void momentum_rule(Weight& w, double g, double step, int) {
  w.mean += mean_rate * (g - w.mean);
  w.value -= step * w.mean;
}
inline void nesterov_rule(Weight& w, double g, double step, int) {
  w.mean += mean_rate * (g - w.mean);
  const double ahead = w.mean + mean_rate * (g - w.mean);
  w.value -= step * ahead;
}
inline void rmsprop_rule(Weight& w, double g, double step, int age) {
  w.square += square_rate * (g * g - w.square);
  w.value -= step * g / (std::sqrt(w.square / (1 - std::pow(1 - square_rate, age))) + epsilon);
}
inline void adam_rule(Weight& w, double g, double step, int age) {
  w.mean += mean_rate * (g - w.mean);
  w.square += square_rate * (g * g - w.square);
  const double mean = w.mean / (1 - std::pow(1 - mean_rate, age));
  const double square = w.square / (1 - std::pow(1 - square_rate, age));
  w.value -= step * mean / (std::sqrt(square) + epsilon);
}

/// The rules on plain lists of units, each a list of weights.
struct Reference {
  struct Unit {
    std::vector<Weight> weights;
    int age = 0;
  };
  std::vector<std::vector<Unit>> layers;
  std::size_t removed = 0;

  template <class T>
  explicit Reference(const Network<T>& network) {
    for (const Layer<T>& layer : network.layers) {
      layers.emplace_back(layer.weights.rows());
      for (std::size_t j = 0; j < layer.weights.rows(); ++j) {
        for (const T value : layer.weights.row(j)) layers.back()[j].weights.push_back({.value = value});
      }
    }
  }

  void step(const std::vector<std::vector<Vector>>& gradients, const Rule& rule, double step,
            double shrinkage) {
    for (std::size_t l = 0; l < layers.size(); ++l) {
      for (std::size_t j = 0; j < layers[l].size(); ++j) {
        Unit& unit = layers[l][j];
        ++unit.age;
        double square = 0;
        for (std::size_t i = 0; i < unit.weights.size(); ++i) {
          rule(unit.weights[i], gradients[l][j][i], step, unit.age);
          square += unit.weights[i].value * unit.weights[i].value;
        }
        const double length = std::sqrt(square);
        for (Weight& w : unit.weights) w.value *= length > shrinkage ? (length - shrinkage) / length : 0;
      }
    }
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
      for (std::size_t j = layers[l].size(); j-- > 0;) {
        if (std::ranges::any_of(layers[l][j].weights, [](const Weight& w) { return w.value != 0; })) continue;
        const auto at = static_cast<std::ptrdiff_t>(j);
        layers[l].erase(layers[l].begin() + at);
        for (Unit& unit : layers[l + 1]) unit.weights.erase(unit.weights.begin() + at);
        ++removed;
      }
    }
  }

  void add(std::size_t layer, const Vector& fan_in) {
    layers[layer].emplace_back();
    for (const double value : fan_in) layers[layer].back().weights.push_back({.value = value});
    for (Unit& unit : layers[layer + 1]) unit.weights.emplace_back();
  }
};

template <class T>
double worst_difference(const Network<T>& network, const Reference& reference) {
  double worst = 0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<T>& weights = network.layers[l].weights;
    if (weights.rows() != reference.layers[l].size()) return INFINITY;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      const std::vector<Weight>& unit = reference.layers[l][j].weights;
      if (weights.cols() != unit.size()) return INFINITY;
      for (std::size_t i = 0; i < unit.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(weights(j, i)) - unit[i].value) /
                                    (1 + std::abs(unit[i].value)));
      }
    }
  }
  return worst;
}

}  // namespace coppice::descent
