#include "coppice/device/gpu.h"

namespace coppice {

GpuStatus gpu_status() {
  return {.usable = false, .text = "this build of coppice has no CUDA; build it where nvcc is installed"};
}

}  // namespace coppice
