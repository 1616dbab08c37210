#pragma once

#include "coppice/training/optimizer.h"
#include "coppice/training/regularizer.h"

#include <utility>

namespace coppice {

/// AdaRad-M, AdaRad with momentum: fan-ins turn by a running mean of the angular part of their gradients. Per unit
/// with fan-in w and gradient g, with c, phi, avg, cap, phimax, capmax, rho, len and k as in adarad.h:
///
///   m = (1-b) m + b phi;  a = (1-b) a + b                            a running mean and how full it is
///   theta = alpha_phi |m|/a sqrt(phimax/capmax) / (sqrt(avg/cap) + eps)
///   w <- k (rho cos theta w - len sin theta m/|m|)                   turned towards -m
///   m <- cos theta m + sin theta |m| rho w / len                     turned along, so that it stays orthogonal to w
///
/// m is turned in the plane that w was turned in: towards w as it was before, which is what keeps the two at a right
/// angle. Removing units below takes weights out of w and m, so m is made orthogonal again. A zero fan-in has no angle:
/// its mean begins anew.
template <class T>
class AdaRadM final : public Optimizer<T> {
 public:
  AdaRadM(double mean_rate, double mixing_rate, double epsilon, Regularizer regularizer = {})
      : Optimizer<T>({.means = true}),
        mean_rate_(mean_rate),
        beta_(mixing_rate),
        epsilon_(epsilon),
        regularizer_(std::move(regularizer)) {}

  [[nodiscard]] bool step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace,
                          const StepSizes& sizes, OptimizerStateOf<T>& state, DeadUnits& dead) const override;
  void units_removed(ThreadPool& pool, const Network<T>& network, std::size_t layer,
                     OptimizerStateOf<T>& state) const override;

 private:
  double mean_rate_;
  double beta_;
  double epsilon_;
  Regularizer regularizer_;  ///< of its factors per layer only
};

}  // namespace coppice
