#pragma once

#include "coppice/training/optimizer.h"
#include "coppice/training/regularizer.h"

#include <utility>

namespace coppice {

/// Plain gradient descent, then the regularizer's shrinkage; with the l2 fan-in regularizer both at once, per unit with fan-in w and gradient g
///
///   w <- k (w - alpha g),   k = max(0, 1 - alpha lambda (B/n) / |w - alpha g|)
///
/// alpha is StepSizes::radial; there is no angle, so StepSizes::angular is not used. Nothing is remembered
/// between steps.
template <class T>
class Sgd final : public Optimizer<T> {
 public:
  explicit Sgd(Regularizer regularizer = {}) : regularizer_(std::move(regularizer)) {}

  [[nodiscard]] bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                          const StepSizes& sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const override;

 private:
  Regularizer regularizer_;
};

}  // namespace coppice
