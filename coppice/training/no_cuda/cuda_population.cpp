#include "coppice/training/cuda_population.h"

#include "coppice/core/fail.h"
#include "coppice/device/gpu.h"

namespace coppice {

// NOLINTBEGIN(performance-unnecessary-value-param)
std::unique_ptr<Population> make_cuda_population(ThreadPool&, const Trainer&, std::vector<NetData>,
                                                 std::vector<NetRun>, std::size_t) {
  fail("GPU: {}", gpu_status().text);
}
// NOLINTEND(performance-unnecessary-value-param)

}  // namespace coppice
