#pragma once

#include "coppice/core/random.h"
#include "coppice/data/dataset.h"
#include "coppice/device/threads.h"
#include "coppice/network/gradient.h"
#include "coppice/network/network.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace coppice {

constexpr Activation activations[] = {Activation::relu, Activation::leaky_relu, Activation::abs,
                                      Activation::tanh, Activation::identity};
constexpr Activation self_similar[] = {Activation::relu, Activation::leaky_relu, Activation::abs,
                                       Activation::identity};

/// Normal inputs of deviation 2; random labels, or random targets when classes is 0.
inline Dataset random_dataset(std::size_t rows, std::size_t inputs, std::size_t classes, std::uint64_t seed) {
  Dataset data;
  data.inputs = Matrix<float>(rows, inputs);
  Random random(seed, Purpose::generator, 5);
  for (std::size_t i = 0; i < rows; ++i) {
    for (float& value : data.inputs.row(i)) value = static_cast<float>(2 * random.normal());
    if (classes > 0) {
      data.labels.push_back(static_cast<std::uint32_t>(random.below(classes)));
    } else {
      data.targets.push_back(static_cast<float>(random.normal()));
    }
  }
  return data;
}

inline std::vector<std::uint32_t> all_rows(const Dataset& data) {
  std::vector<std::uint32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

/// A network whose fan-ins are some short, some long, so that caps are active in some units and not in
/// others.
template <class T>
Network<T> uneven_network(const NetworkShape& shape, std::uint64_t seed) {
  Network<T> network = make_network<T>(shape, seed);
  for (Layer<T>& layer : network.layers) {
    for (std::size_t j = 0; j < layer.weights.rows(); ++j) {
      for (T& weight : layer.weights.row(j)) weight *= j % 2 == 0 ? T(2) : T(0.2);
    }
  }
  return network;
}

/// A workspace holding all rows of the data as one batch.
template <class T>
Workspace<T> batch_of(const Dataset& data) {
  ThreadPool pool(1);
  Workspace<T> workspace;
  gather_batch(pool, data, all_rows(data), workspace);
  return workspace;
}

/// Scores of the whole data set as one training-mode batch.
template <class T>
Matrix<T> training_scores(const Network<T>& network, const Dataset& data) {
  ThreadPool pool(1);
  Workspace<T> workspace = batch_of<T>(data);
  compute_loss(pool, network, workspace);
  return workspace.layers.back().y;
}

template <class T>
double largest_difference(const Matrix<T>& a, const Matrix<T>& b) {
  double largest = a.rows() == b.rows() && a.cols() == b.cols() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.rows() && std::isfinite(largest); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j) {
      largest = std::max(largest, std::abs(static_cast<double>(a(i, j)) - static_cast<double>(b(i, j))));
    }
  }
  return largest;
}

}  // namespace coppice
