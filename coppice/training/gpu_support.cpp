#include "coppice/training/gpu_support.h"

namespace coppice {

std::string gpu_lacks(const TrainingOptions& options) {
  if (options.optimizer == OptimizerKind::adarad_m) return "the GPU has no --optimizer adarad-m";
  if (options.fixed_size.empty() && options.optimizer != OptimizerKind::adarad)
    return "the GPU trains nets that grow with --optimizer adarad only";
  if (!options.regularizer.shortens_fan_ins())
    return "the GPU trains with --regularizer fan-in --penalty-power 2 only";
  if (!options.regularizer.layer_factors.empty()) return "the GPU trains without --layer-lambdas only";
  return {};
}

}  // namespace coppice
