#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/capnorm.h"
#include "coppice/device/step_sizes.h"
#include "coppice/device/threads.h"
#include "coppice/network/network.h"
#include "coppice/network/resize.h"
#include "coppice/network/workspace.h"
#include "coppice/training/options.h"

#include <cstddef>
#include <memory>
#include <optional>
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
    std::vector<double>
        kink_average;  ///< per unit, where kinks learn: running mean of their squared gradients
    bool operator==(const LayerState&) const = default;
  };
  std::vector<LayerState> layers;
  double largest_average = 0;
  double largest_capacity = 0;
  struct Scalar {
    double average = 0;   ///< running mean of its squared gradient
    double capacity = 0;  ///< how full that is
    bool operator==(const Scalar&) const = default;
  };
  std::optional<Scalar> output_scale;  ///< where it learns
  std::vector<std::vector<SeenUnit>>
      seen;  ///< per layer, of rows before the batch; empty: CapNorm remembers none

  void resize(const ResizePlan& plan);
  bool operator==(const OptimizerStateOf&) const = default;
};
using OptimizerState = OptimizerStateOf<float>;

/// What an optimizer remembers of every weight.
struct Remembered {
  bool means = false;    ///< running means of gradients
  bool squares = false;  ///< running means of their squares
};

/// A state that remembers nothing yet, with room for numbers per unit and for those per weight.
template <class T>
OptimizerStateOf<T> zero_state(const Network<T>& network, const Remembered& remembered = {}) {
  OptimizerStateOf<T> state;
  for (const Layer<T>& layer : network.layers) {
    const std::size_t units = layer.weights.rows();
    const auto like = [](const Matrix<T>& matrix) { return Matrix<T>(matrix.rows(), matrix.cols()); };
    typename OptimizerStateOf<T>::LayerState& numbers = state.layers.emplace_back();
    numbers.average.resize(units);
    numbers.capacity.resize(units);
    if (remembered.means) {
      numbers.mean = like(layer.weights);
      numbers.affine_mean = like(layer.affine);
      numbers.mean_capacity.resize(units);
    }
    if (remembered.squares) {
      numbers.square = like(layer.weights);
      numbers.affine_square = like(layer.affine);
    }
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
  /// Before the first step.
  OptimizerStateOf<T> start(const Network<T>& network) const { return zero_state(network, remembered_); }
  /// One step along the gradients in the workspace; names the hidden units whose fan-in (fan-out) is now zero. False,
  /// and weights not to be used any more, if it met a number that is not finite.
  [[nodiscard]] virtual bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                                  const StepSizes& sizes, OptimizerStateOf<T>& state,
                                  DeadUnits& dead) const = 0;
  /// Called when units of a hidden layer have been removed, from network and state alike.
  virtual void units_removed(ThreadPool&, const Network<T>&, std::size_t /*layer*/,
                             OptimizerStateOf<T>&) const {}

 protected:
  explicit Optimizer(Remembered remembered = {}) : remembered_(remembered) {}

 private:
  Remembered remembered_;
};

/// The optimizer that the options name; fails if there is none of that name.
std::unique_ptr<Optimizer<float>> make_optimizer(const TrainingOptions& options);

}  // namespace coppice
