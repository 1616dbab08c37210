#pragma once

#include "coppice/device/cuda/adarad.h"
#include "coppice/training/cuda/nets.h"
#include "coppice/training/options.h"

#include <cstddef>

namespace coppice::cuda {

/// The optimizer's part of a step: moves the weights of all nets along their gradients, and ends units.
class OptimizerStep {
 public:
  OptimizerStep(const Nets& nets, const TrainingOptions& options, const Stream& stream);

  /// What the steps of this epoch did to the units: [net][layer]; zeros unless the optimizer turns fan-ins.
  const Array<StepTally>& tallies() const { return tallies_; }

  /// Before the first step of an epoch.
  void begin(const Stream& stream) const;

  /// What changes from step to step; steps of a series take turns with two memories.
  struct Now {
    const NetStep* sizes = nullptr;
    Extent samples{};
    int* failed = nullptr;
    const int* first_step = nullptr;
    std::size_t step = 0;
    bool shrinks = false;  ///< any net's shrinkage is not 0
  };
  void enqueue(const Now& now, const Stream& stream) const;

 private:
  void adarad_step(const UnitSteps& all, const Stream& stream) const;
  void descent_step(const UnitSteps& all, bool shrinks, const Stream& stream) const;

  const Nets* nets_;
  const TrainingOptions* options_;
  int units_ = 0;
  Array<double> factors_;      ///< on each layer's shrinkage
  Array<double> input_sizes_;  ///< of the inputs' fan-outs, if those are penalised
  Array<Largest> by_layer_;
  Array<StepTally> tallies_;  ///< [net][layer], of this epoch
};

}  // namespace coppice::cuda
