#include "coppice/training/gpu_support.h"

namespace coppice {

std::string gpu_lacks(const TrainingOptions& options) {
  if (options.norm == Norm::batchnorm_affine && options.fixed_size.empty())
    return "the GPU trains with --norm batchnorm-affine only if --fixed-size is given";
  return {};
}

}  // namespace coppice
