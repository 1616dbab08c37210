#pragma once

#include "coppice/network/network.h"
#include "coppice/training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {

/// AdaRad-M as the paper's algorithm 2 tells it, line by line and vector by vector. phimax and capmax see a whole layer
/// before its units are updated.
class AdaradMReference {
 public:
  using Vector = std::vector<double>;
  struct Unit {
    Vector w;
    Vector mean;          ///< phi with a tilde
    double average = 0;   ///< phi with a bar
    double capacity = 0;  ///< c
    double filled = 0;    ///< a
  };

  template <class T>
  AdaradMReference(const Network<T>& network, double arith, double quad, double epsilon)
      : arith_(arith), quad_(quad), epsilon_(epsilon) {
    for (const Layer<T>& layer : network.layers) {
      layers.emplace_back();
      for (std::size_t j = 0; j < layer.weights.rows(); ++j) {
        layers.back().push_back({.w = Vector(layer.weights.row(j).begin(), layer.weights.row(j).end()),
                                 .mean = Vector(layer.weights.cols())});
      }
    }
  }

  void step(const std::vector<std::vector<Vector>>& gradients, double alpha_phi, double alpha_r,
            double shrinkage) {
    for (std::size_t l = layers.size(); l-- > 0;) {
      std::vector<Vector> radial;
      for (std::size_t j = 0; j < layers[l].size(); ++j) {
        Unit& unit = layers[l][j];
        const bool zero =
            length(unit.w) == 0;  // an output that has died: it only moves, and its mean begins anew
        radial.push_back(zero ? gradients[l][j]
                              : times(dot(gradients[l][j], unit.w) / dot(unit.w, unit.w), unit.w));
        const Vector phi = sum(gradients[l][j], times(-1, radial.back()));
        unit.average = (1 - quad_) * unit.average + quad_ * dot(phi, phi);
        unit.capacity = (1 - quad_) * unit.capacity + quad_;
        phi_max = std::max(phi_max, unit.average);
        cap_max = std::max(cap_max, unit.capacity);
        unit.mean = zero ? Vector(unit.w.size()) : sum(times(1 - arith_, unit.mean), times(arith_, phi));
        unit.filled = zero ? 0 : (1 - arith_) * unit.filled + arith_;
      }
      for (std::size_t j = 0; j < layers[l].size(); ++j)
        move(layers[l][j], radial[j], alpha_phi, alpha_r, shrinkage);
      if (l + 1 < layers.size()) remove_zero_units(l);
    }
  }

  void add(std::size_t layer, const Vector& fan_in) {
    layers[layer].push_back({.w = fan_in, .mean = Vector(fan_in.size())});
    for (Unit& unit : layers[layer + 1]) {
      unit.w.push_back(0);
      unit.mean.push_back(0);
    }
  }

  static double dot(const Vector& a, const Vector& b) {
    double total = 0;
    for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
    return total;
  }
  static double length(const Vector& a) { return std::sqrt(dot(a, a)); }

  std::vector<std::vector<Unit>> layers;
  double phi_max = 0;
  double cap_max = 0;
  std::size_t removed = 0;

 private:
  static Vector times(double factor, Vector a) {
    for (double& value : a) value *= factor;
    return a;
  }
  static Vector sum(Vector a, const Vector& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }
  /// v turned by an angle towards a direction of length 1 that is orthogonal to it.
  static Vector turned(const Vector& v, double angle, const Vector& direction) {
    return sum(times(std::cos(angle), v), times(std::sin(angle) * length(v), direction));
  }

  void move(Unit& unit, const Vector& radial, double alpha_phi, double alpha_r, double shrinkage) const {
    const double adjust = std::sqrt(phi_max / cap_max) / (std::sqrt(unit.average / unit.capacity) + epsilon_);
    const Vector adjusted = unit.filled > 0 ? times(adjust / unit.filled, unit.mean) : unit.mean;
    unit.w = sum(unit.w, times(-alpha_r, radial));
    if (length(adjusted) > 0) {
      const double angle = alpha_phi * length(adjusted);
      const Vector before = times(1 / length(unit.w), unit.w);
      unit.w = turned(unit.w, angle, times(-1 / length(adjusted), adjusted));
      unit.mean = turned(unit.mean, angle, before);
    }
    const double now = length(unit.w);
    if (now > 0) unit.w = times(std::max(0.0, now - shrinkage) / now, unit.w);
  }

  void remove_zero_units(std::size_t l) {
    bool altered = false;
    for (std::size_t j = layers[l].size(); j-- > 0;) {
      if (dot(layers[l][j].w, layers[l][j].w) > 0) continue;
      const auto at = static_cast<std::ptrdiff_t>(j);
      layers[l].erase(layers[l].begin() + at);
      for (Unit& unit : layers[l + 1]) {
        unit.w.erase(unit.w.begin() + at);
        unit.mean.erase(unit.mean.begin() + at);
      }
      altered = true;
      ++removed;
    }
    if (!altered) return;
    for (Unit& unit : layers[l + 1]) {
      if (length(unit.w) == 0) continue;
      unit.mean = sum(unit.mean, times(-dot(unit.mean, unit.w) / dot(unit.w, unit.w), unit.w));
    }
  }

  double arith_;
  double quad_;
  double epsilon_;
};

/// What came of training beside the reference.
struct Outcome {
  double difference = 0;  ///< largest ever from the reference, in weights and running means
  double slant = 0;       ///< largest cosine ever between a fan-in and its mean
  std::size_t removed = 0;
};

template <class T>
void compare(const Network<T>& network, const OptimizerStateOf<T>& state, const AdaradMReference& reference,
             Outcome& outcome) {
  double longest = 1e-12;  // means are of the size of gradients
  for (const auto& layer : reference.layers) {
    for (const auto& unit : layer) longest = std::max(longest, AdaradMReference::length(unit.mean));
  }
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& mean = state.layers[l].mean;
    ASSERT_EQ(weights.rows(), reference.layers[l].size());
    ASSERT_EQ(mean.rows(), weights.rows());
    ASSERT_EQ(mean.cols(), weights.cols());
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      const AdaradMReference::Unit& unit = reference.layers[l][j];
      ASSERT_EQ(weights.cols(), unit.w.size());
      const auto differ = [&](double a, double b, double scale) {
        outcome.difference = std::max(outcome.difference, std::abs(a - b) / scale);
      };
      differ(state.layers[l].average[j], unit.average, unit.average + 1e-12);
      differ(state.layers[l].capacity[j], unit.capacity, 1);
      differ(state.layers[l].mean_capacity[j], unit.filled, 1);
      for (std::size_t i = 0; i < weights.cols(); ++i) {
        differ(static_cast<double>(weights(j, i)), unit.w[i], 1 + std::abs(unit.w[i]));
        differ(static_cast<double>(mean(j, i)), unit.mean[i], longest);
      }
      const AdaradMReference::Vector w(weights.row(j).begin(), weights.row(j).end());
      const AdaradMReference::Vector m(mean.row(j).begin(), mean.row(j).end());
      const double lengths = AdaradMReference::length(w) * AdaradMReference::length(m);
      if (lengths > 0)
        outcome.slant = std::max(outcome.slant, std::abs(AdaradMReference::dot(w, m)) / lengths);
    }
  }
}

}  // namespace coppice
