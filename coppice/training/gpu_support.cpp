#include "coppice/training/gpu_support.h"

namespace coppice {

std::string gpu_lacks(Norm norm, bool fixed_size) {
  if (norm == Norm::batchnorm_affine && !fixed_size)
    return "the GPU trains with `norm` batchnorm-affine only if `fixed-size` is given";
  return {};
}

}  // namespace coppice
