#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/step_sizes.h"
#include "coppice/device/threads.h"
#include "coppice/network/network.h"
#include "coppice/network/resize.h"
#include "coppice/network/workspace.h"
#include "coppice/training/options.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace coppice {

/// What an optimizer remembers between steps: numbers per weight, per unit and for the whole net. Copied by
/// rewinds, resized with the network, written to checkpoints. What an optimizer does not need stays empty.
template <class T>
struct OptimizerStateOf {
  struct LayerState {
    std::vector<double> average;        ///< per unit: running mean of |phi|^2
    std::vector<double> capacity;       ///< per unit: how full the running means of squares are, 0 to 1
    std::vector<double> mean_capacity;  ///< per unit: how full the running means of gradients are, 0 to 1
    Matrix<T> mean;                     ///< per weight: running mean of the gradient, or of its angular part
    Matrix<T> square;                   ///< per weight: running mean of the squared gradient
    Matrix<T> affine_mean;              ///< the same of free means and variances
    Matrix<T> affine_square;            ///< the same
    bool operator==(const LayerState&) const = default;
  };
  std::vector<LayerState> layers;
  double largest_average = 0;
  double largest_capacity = 0;

  void resize(const ResizePlan& plan);
  bool operator==(const OptimizerStateOf&) const = default;
};
using OptimizerState = OptimizerStateOf<float>;

/// A state that remembers nothing yet, with room for numbers per unit.
template <class T>
OptimizerStateOf<T> zero_state(const Network<T>& network) {
  OptimizerStateOf<T> state;
  for (const Layer<T>& layer : network.layers) {
    const std::size_t units = layer.weights.rows();
    state.layers.emplace_back();
    state.layers.back().average.resize(units);
    state.layers.back().capacity.resize(units);
  }
  return state;
}

/// The same with room for a running mean per weight.
template <class T>
OptimizerStateOf<T> zero_state_with_means(const Network<T>& network) {
  OptimizerStateOf<T> state = zero_state(network);
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<T>& weights = network.layers[l].weights;
    state.layers[l].mean = Matrix<T>(weights.rows(), weights.cols());
    state.layers[l].affine_mean = Matrix<T>(network.layers[l].affine.rows(), network.layers[l].affine.cols());
    state.layers[l].mean_capacity.resize(weights.rows());
  }
  return state;
}

/// Indices of the units of each hidden layer that a step reduced to zero.
using DeadUnits = std::vector<std::vector<std::size_t>>;

/// Names a unit of a hidden layer of `units` as dead. False for the last that is left, which must not be shrunk: a layer
/// never falls below one unit.
inline bool eliminate(std::size_t unit, std::size_t units, std::vector<std::size_t>& dead) {
  if (dead.size() + 1 >= units) return false;
  dead.push_back(unit);
  return true;
}

/// A rule that turns gradients into new weights. It holds no state of a run: that is OptimizerState.
template <class T>
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual OptimizerStateOf<T> start(const Network<T>& network) const = 0;
  /// One step along the gradients in the workspace; names the hidden units whose fan-in (fan-out) is now zero. False,
  /// and weights not to be used any more, if it met a number that is not finite.
  [[nodiscard]] virtual bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                                  const StepSizes& sizes, OptimizerStateOf<T>& state,
                                  DeadUnits& dead) const = 0;
  /// Called when units of a hidden layer have been removed, from network and state alike.
  virtual void units_removed(ThreadPool&, const Network<T>&, std::size_t /*layer*/,
                             OptimizerStateOf<T>&) const {}
};

/// The optimizer that the options name; fails if there is none of that name.
std::unique_ptr<Optimizer<float>> make_optimizer(const TrainingOptions& options);

}  // namespace coppice
