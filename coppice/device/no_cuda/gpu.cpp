#include "coppice/device/gpu.h"

namespace coppice {

GpuStatus gpu_status(std::span<const std::size_t>) {
  return {.usable = false, .text = "this build has no CUDA"};
}

std::vector<std::string> gpu_names() {
  return {};
}

}  // namespace coppice
