#pragma once

#include "coppice/device/adarad_unit.h"
#include "coppice/device/threads.h"
#include "coppice/network/network.h"
#include "coppice/network/resize.h"
#include "coppice/network/workspace.h"
#include "coppice/training/options.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace coppice {

/// What an optimizer remembers between steps: numbers per unit and for the whole net. Copied by rewinds,
/// resized with the network, written to checkpoints.
struct OptimizerState {
  struct LayerState {
    std::vector<double> average;   ///< per unit: running mean of |phi|^2
    std::vector<double> capacity;  ///< per unit: how full that mean is, 0 to 1
    bool operator==(const LayerState&) const = default;
  };
  std::vector<LayerState> layers;
  double largest_average = 0;
  double largest_capacity = 0;

  void resize(const ResizePlan& plan);
  bool operator==(const OptimizerState&) const = default;
};

/// A state that remembers nothing yet.
template <class T>
OptimizerState zero_state(const Network<T>& network) {
  OptimizerState state;
  for (const Layer<T>& layer : network.layers) {
    const std::size_t units = layer.weights.rows();
    state.layers.push_back({std::vector<double>(units), std::vector<double>(units)});
  }
  return state;
}

/// Indices of the units of each hidden layer that a step reduced to zero.
using DeadUnits = std::vector<std::vector<std::size_t>>;

/// A rule that turns gradients into new weights. It holds no state of a run: that is OptimizerState.
template <class T>
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual OptimizerState start(const Network<T>& network) const = 0;
  /// One step along the gradients in the workspace; names the hidden units whose fan-in is now zero. False,
  /// and weights not to be used any more, if it met a number that is not finite.
  [[nodiscard]] virtual bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                                  const StepSizes& sizes, OptimizerState& state, DeadUnits& dead) const = 0;
};

/// The optimizer that the options name; fails if there is none of that name.
std::unique_ptr<Optimizer<float>> make_optimizer(const TrainingOptions& options);

}  // namespace coppice
