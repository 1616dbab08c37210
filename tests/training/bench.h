#pragma once

#include "coppice/training/optimizer.h"

#include "tests/device/random_matrix.h"
#include "tests/network/fixture.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include <rapidcheck.h>

namespace coppice {

/// A network with gradients of our choice.
template <class T, class Rule>
struct StepBench {
  Rule optimizer;
  Network<T> network;
  Workspace<T> workspace;
  OptimizerStateOf<T> state;
  DeadUnits dead;
  std::uint64_t seed;

  StepBench(Rule rule, const NetworkShape& shape, std::uint64_t first, double gradient_size = 0.01)
      : optimizer(std::move(rule)),
        network(make_network<T>(shape, first)),
        state(optimizer.start(network)),
        seed(first) {
    workspace.layers.resize(network.layers.size());
    draw(gradient_size);
  }
  /// New gradients.
  void draw(double size = 0.01) {
    for (std::size_t l = 0; l < network.layers.size(); ++l)
      gradient(l) = random_matrix<T>(weights(l).rows(), weights(l).cols(), ++seed, size);
  }
  Matrix<T>& weights(std::size_t layer) { return network.layers[layer].weights; }
  Matrix<T>& gradient(std::size_t layer) { return workspace.layers[layer].weight_gradient; }
  bool step(const StepSizes& sizes) {
    ThreadPool pool(1);
    return optimizer.step(pool, network, workspace, sizes, state, dead);
  }
};

template <class T>
double dot(std::span<const T> a, std::span<const T> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

template <class T>
double length(const Matrix<T>& rows, std::size_t unit) {
  return std::sqrt(dot(rows.row(unit), rows.row(unit)));
}

inline NetworkShape random_shape() {
  const auto size = [] { return *rc::gen::inRange<std::size_t>(2, 9); };
  return {.inputs = size(), .outputs = size(), .hidden = {size(), size()}};
}

}  // namespace coppice
