#pragma once

#include "coppice/training/optimizer.h"

namespace coppice {

/// RMSprop: gradients divided by the root of their running mean square s, weight by weight.
///
///   s = (1-b) s + b g^2;  c = (1-b) c + b;   w <- w - alpha g / (sqrt(s/c) + eps)
///
/// alpha is StepSizes::radial. No shrinkage: that would have to be rescaled for every weight too, and then takes new
/// units away before they have learned anything.
template <class T>
class RmsProp final : public Optimizer<T> {
 public:
  RmsProp(double square_rate, double epsilon) : square_rate_(square_rate), epsilon_(epsilon) {}

  OptimizerStateOf<T> start(const Network<T>& network) const override;
  [[nodiscard]] bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                          const StepSizes& sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const override;

 private:
  double square_rate_;
  double epsilon_;
};

/// Adam: the same with a running mean m of the gradients, and how full it is, in place of the gradient.
///
///   m = (1-b') m + b' g;  a = (1-b') a + b';   w <- w - alpha (m/a) / (sqrt(s/c) + eps)
template <class T>
class Adam final : public Optimizer<T> {
 public:
  Adam(double mean_rate, double square_rate, double epsilon)
      : mean_rate_(mean_rate), square_rate_(square_rate), epsilon_(epsilon) {}

  OptimizerStateOf<T> start(const Network<T>& network) const override;
  [[nodiscard]] bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                          const StepSizes& sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const override;

 private:
  double mean_rate_;
  double square_rate_;
  double epsilon_;
};

}  // namespace coppice
