#pragma once

#include "coppice/training/optimizer.h"
#include "coppice/training/regularizer.h"

#include <utility>

namespace coppice {

/// Gradient descent along a running mean m of the gradients, then the regularizer's shrinkage:
///
///   m = (1-b) m + b g;   w <- w - alpha m                     momentum
///                        w <- w - alpha ((1-b) m + b g)       Nesterov: where m will be one step ahead
///
/// alpha is StepSizes::radial. m is a mean, not a sum, so that steps are as long as those of plain gradient descent.
template <class T>
class Momentum final : public Optimizer<T> {
 public:
  Momentum(double mean_rate, bool nesterov, Regularizer regularizer = {})
      : Optimizer<T>({.means = true}),
        mean_rate_(mean_rate),
        nesterov_(nesterov),
        regularizer_(std::move(regularizer)) {}

  [[nodiscard]] bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                          const StepSizes& sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const override;

 private:
  double mean_rate_;
  bool nesterov_;
  Regularizer regularizer_;
};

}  // namespace coppice
