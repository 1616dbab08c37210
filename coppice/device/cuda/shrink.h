#pragma once

#include "coppice/device/cuda/unit_steps.h"

#include <span>

namespace coppice::cuda {

/// The regularizer's own step after a gradient step, for all layers of all nets (coppice/training/shrink.h says what is
/// computed). Units that it ends leave zeros and are marked as dead.
struct ShrinkStep {
  UnitSteps all{};
  bool fan_out = false;           ///< whose length is penalised
  bool single = false;            ///< p = 1
  double* input_sizes = nullptr;  ///< fan-outs of the net's inputs: room for their sizes
  std::size_t input_stride = 0;   ///< from net to net
};
/// layers: what step.all.layers holds, on the host.
void shrink(const ShrinkStep& step, std::span<const FanIns> layers, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
