#pragma once

#include "coppice/network/network.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace coppice {

/// AdaRad as the paper's algorithm 1 tells it, in its most instructive order: r and phi are formed, phi is
/// normalised, the fan-in is moved, turned and shrunk. phimax and capmax see a whole layer before its units
/// are updated.
class AdaradReference {
 public:
  struct Unit {
    std::vector<double> w;
    double average = 0;
    double capacity = 0;
  };
  using Vector = std::vector<double>;

  template <class T>
  AdaradReference(const Network<T>& network, double beta, double epsilon) : beta_(beta), epsilon_(epsilon) {
    for (const Layer<T>& layer : network.layers) {
      layers.emplace_back();
      for (std::size_t j = 0; j < layer.weights.rows(); ++j) {
        layers.back().push_back({Vector(layer.weights.row(j).begin(), layer.weights.row(j).end())});
      }
    }
  }

  bool by_angle = false;  ///< alpha_phi is an angle: every unit turns by it, in the mean square
  double trust = 0;  ///< lengths change by no more than this factor where a step moves them; 0: by anything
  double relative_epsilon = 0;
  bool exponential = false;         ///< a length that the gradient shortens takes many small steps
  bool relative_shrinkage = false;  ///< fan-ins longer than 1 are shortened by that share
  double peak_decay = 1;            ///< what phi_max keeps from step to step
  std::size_t flips = 0;            ///< steps that turned a fan-in around
  std::size_t held = 0;             ///< that were not trusted
  double turned = 0;                ///< all angles
  std::size_t unit_steps = 0;

  /// One iteration; gradients[l][j] is the gradient of unit j of layer l. Dead units are removed at once.
  void step(const std::vector<std::vector<Vector>>& gradients, double alpha_phi, double alpha_r,
            double shrinkage) {
    phi_max *= peak_decay;
    for (std::size_t l = layers.size(); l-- > 0;) {
      const std::vector<Vector> phis = angular_parts(l, gradients[l]);
      for (std::size_t j = 0; j < layers[l].size(); ++j) {
        layers[l][j].average = (1 - beta_) * layers[l][j].average + beta_ * dot(phis[j], phis[j]);
        layers[l][j].capacity = (1 - beta_) * layers[l][j].capacity + beta_;
        phi_max = std::max(phi_max, layers[l][j].average);
        cap_max = std::max(cap_max, layers[l][j].capacity);
      }
      for (std::size_t j = 0; j < layers[l].size(); ++j) {
        move(layers[l][j], gradients[l][j], phis[j], alpha_phi, alpha_r);
        shrink(layers[l][j].w, shrinkage);
      }
      if (l + 1 < layers.size()) remove_zero_units(l);
    }
  }

  void add(std::size_t layer, const Vector& fan_in) {
    layers[layer].push_back({fan_in});
    for (Unit& unit : layers[layer + 1]) unit.w.push_back(0);
  }

  std::vector<std::vector<Unit>> layers;
  double phi_max = 0;
  double cap_max = 0;
  std::size_t removed = 0;

 private:
  static double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  std::vector<Vector> angular_parts(std::size_t l, const std::vector<Vector>& gradients) const {
    std::vector<Vector> phis;
    for (std::size_t j = 0; j < layers[l].size(); ++j) {
      const Vector& w = layers[l][j].w;
      const bool zero = dot(w, w) == 0;  // an output that has died: without a direction, it only moves
      Vector phi = zero ? Vector(w.size()) : gradients[j];
      for (std::size_t i = 0; i < w.size() && !zero; ++i) phi[i] -= dot(gradients[j], w) / dot(w, w) * w[i];
      phis.push_back(phi);
    }
    return phis;
  }

  /// w moves along itself. Not trusted: the new w, which points where the old one did, has the length that is allowed.
  void move_along(Vector& w, const Vector& g, const Vector& phi, double alpha_r) {
    const Vector before = w;
    for (std::size_t i = 0; i < w.size(); ++i) w[i] -= alpha_r * (g[i] - phi[i]);
    ++unit_steps;
    if (dot(before, before) == 0) return;
    double factor = dot(w, before) / dot(before, before);
    if (exponential && factor < 1) {
      factor = std::exp(factor - 1);
      for (std::size_t i = 0; i < w.size(); ++i) w[i] = factor * before[i];
    }
    const bool trusted = trust == 0 || (factor >= 1 / trust && factor <= trust);
    if (!trusted) {
      const double allowed = factor > 1 ? trust : 1 / trust;
      for (std::size_t i = 0; i < w.size(); ++i) w[i] = allowed * before[i];
      ++held;
    }
    if (dot(w, before) < 0) ++flips;
  }

  void move(Unit& unit, const Vector& g, const Vector& phi, double alpha_phi, double alpha_r) {
    Vector& w = unit.w;
    const double largest = std::sqrt(phi_max / cap_max);
    const double norm = by_angle ? 1 : largest;
    const double adjust =
        norm / (std::sqrt(unit.average / unit.capacity) + epsilon_ + relative_epsilon * largest);
    move_along(w, g, phi, alpha_r);
    Vector adjusted = phi;
    for (double& value : adjusted) value *= adjust;
    const double size = std::sqrt(dot(adjusted, adjusted));
    if (size == 0) return;
    const double angle = alpha_phi * size;
    turned += angle;
    const double length = std::sqrt(dot(w, w));
    for (std::size_t i = 0; i < w.size(); ++i) {
      w[i] = std::cos(angle) * w[i] - std::sin(angle) * length * adjusted[i] / size;
    }
  }

  void shrink(Vector& w, double amount) const {
    const double length = std::sqrt(dot(w, w));
    if (length == 0) return;
    if (relative_shrinkage && length > 1) amount *= length;
    const double target = std::max(0.0, length - amount);
    for (double& value : w) value *= target / length;
  }

  void remove_zero_units(std::size_t l) {
    for (std::size_t j = layers[l].size(); j-- > 0;) {
      if (dot(layers[l][j].w, layers[l][j].w) > 0) continue;
      layers[l].erase(layers[l].begin() + static_cast<std::ptrdiff_t>(j));
      for (Unit& unit : layers[l + 1]) unit.w.erase(unit.w.begin() + static_cast<std::ptrdiff_t>(j));
      ++removed;
    }
  }

  double beta_;
  double epsilon_;
};

}  // namespace coppice
