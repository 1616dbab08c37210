#include "coppice/training/gpu_support.h"

namespace coppice {

std::string gpu_lacks(const TrainingOptions& options) {
  if (options.optimizer != OptimizerKind::adarad) return "the GPU trains with --optimizer adarad only";
  if (!options.regularizer.shortens_fan_ins())
    return "the GPU trains with --regularizer fan-in --penalty-power 2 only";
  if (!options.regularizer.layer_factors.empty()) return "the GPU trains without --layer-lambdas only";
  if (options.norm != Norm::capnorm) return "the GPU trains with --norm capnorm only";
  return {};
}

}  // namespace coppice
