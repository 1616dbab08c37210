#include "coppice/training/gpu_support.h"

namespace coppice {

std::string gpu_lacks(const TrainingOptions& options) {
  if (options.optimizer != OptimizerKind::adarad) return "the GPU trains with --optimizer adarad only";
  return {};
}

}  // namespace coppice
