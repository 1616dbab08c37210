#pragma once

#include "coppice/device/cuda/unit_steps.h"
#include "coppice/device/step_tally.h"

namespace coppice::cuda {

/// The largest average of |phi|^2 and the largest of its capacities that a net has seen.
struct Largest {
  double average = 0;
  double filled = 0;
};

/// One step of AdaRad for all layers of all nets (coppice/training/adarad.h has the formulas).
struct AdaRadStep {
  UnitSteps all{};
  double mixing_rate = 0;
  double epsilon = 0;
  const Largest* before = nullptr;  ///< this step
  Largest* after = nullptr;         ///< this step; another array
  Largest* by_layer = nullptr;      ///< [net][layer]: since `before` was last set by the host; starts as 0
  StepTally* tallies = nullptr;     ///< [net][layer]
};

void adarad(const AdaRadStep& step, std::size_t nets, const Stream& stream);

/// The same of AdaRad-M (coppice/training/adarad_m.h), whose running means take up new gradients at `mean_rate`. Where
/// units below have vanished, means are made orthogonal again.
void adarad_m(const AdaRadStep& step, double mean_rate, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
