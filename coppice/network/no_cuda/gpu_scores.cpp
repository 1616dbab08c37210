#include "coppice/network/gpu_scores.h"

#include "coppice/core/fail.h"
#include "coppice/device/gpu.h"

namespace coppice {

Matrix<float> gpu_scores(const Network<float>&, const Statistics<float>&, const Dataset&,
                         std::span<const std::uint32_t>) {
  fail("GPU: {}", gpu_status().text);
}

}  // namespace coppice
