#pragma once

#include "coppice/training/optimizer.h"
#include "coppice/training/regularizer.h"

#include <utility>

namespace coppice {

/// RMSprop: gradients divided by the root of their running mean square s, weight by weight.
///
///   s = (1-b) s + b g^2;  c = (1-b) c + b;   w <- w - alpha g / (sqrt(s/c) + eps)
///
/// alpha is StepSizes::radial. Then the regularizer's shrinkage, which is not rescaled: its lambda stands beside gradients
/// of about 1 per weight. So it is for nets of fixed size alone: new units would be taken away before they have learned
/// anything, or never.
template <class T>
class RmsProp : public Optimizer<T> {
 public:
  RmsProp(double square_rate, double epsilon, Regularizer regularizer = {})
      : RmsProp({.squares = true}, 1, square_rate, epsilon, std::move(regularizer)) {}

  [[nodiscard]] bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                          const StepSizes& sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const override;

 protected:
  RmsProp(Remembered remembered, double mean_rate, double square_rate, double epsilon,
          Regularizer regularizer)
      : Optimizer<T>(remembered),
        mean_rate_(mean_rate),
        square_rate_(square_rate),
        epsilon_(epsilon),
        regularizer_(std::move(regularizer)) {}

 private:
  double mean_rate_;  ///< of the running means of gradients, where there are such
  double square_rate_;
  double epsilon_;
  Regularizer regularizer_;
};

/// Adam: the same with a running mean m of the gradients, and how full it is, in place of the gradient.
///
///   m = (1-b') m + b' g;  a = (1-b') a + b';   w <- w - alpha (m/a) / (sqrt(s/c) + eps)
template <class T>
class Adam final : public RmsProp<T> {
 public:
  Adam(double mean_rate, double square_rate, double epsilon, Regularizer regularizer = {})
      : RmsProp<T>({.means = true, .squares = true}, mean_rate, square_rate, epsilon,
                   std::move(regularizer)) {}
};

}  // namespace coppice
