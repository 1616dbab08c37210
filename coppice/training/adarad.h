#pragma once

#include "coppice/training/optimizer.h"
#include "coppice/training/regularizer.h"

#include <utility>

namespace coppice {

/// AdaRad with the l2 fan-in regularizer. For layers from the last to the first, per unit with fan-in w and
/// gradient g:
///
///   c = (g.w)/(w.w);  |phi|^2 = g.g - (g.w)^2/(w.w)         the part of g that turns w; 0 if it is rounding
///   avg = (1-beta) avg + beta |phi|^2;  cap = (1-beta) cap + beta
///   phimax = max(phimax, avg);  capmax = max(capmax, cap)    over the whole layer first; one pair for the net
///   theta = alpha_phi |phi| sqrt(phimax/capmax) / (sqrt(avg/cap) + eps)
///   rho = 1 - alpha_r c, or exp(-alpha_r c) where c > 0 by RadialRule::exponential, kept in [1/trust, trust] if that is asked for;  len = |rho| |w|;  k = max(0, 1 - alpha_r lambda (B/n) / len)
///   w <- k ((rho cos theta + len sin theta c / |phi|) w - len sin theta / |phi| g)
///
/// With a relative epsilon r, r sqrt(phimax/capmax) is added to eps.
/// That is w <- a w + b g with two numbers per unit; phi itself is never formed.
template <class T>
class AdaRad final : public Optimizer<T> {
 public:
  AdaRad(double mixing_rate, double epsilon, Regularizer regularizer = {})
      : beta_(mixing_rate), epsilon_(epsilon), regularizer_(std::move(regularizer)) {}

  [[nodiscard]] bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                          const StepSizes& sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const override;

 private:
  double beta_;
  double epsilon_;
  Regularizer regularizer_;  ///< of its factors per layer only
};

}  // namespace coppice
