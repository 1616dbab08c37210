#include "coppice/training/gpu_support.h"

namespace coppice {

std::string gpu_lacks(const TrainingOptions& options) {
  if (options.optimizer != OptimizerKind::adarad) return "the GPU trains with --optimizer adarad only";
  if (options.norm != Norm::capnorm) return "the GPU trains with --norm capnorm only";
  return {};
}

}  // namespace coppice
