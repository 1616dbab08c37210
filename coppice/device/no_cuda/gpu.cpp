#include "coppice/device/gpu.h"

namespace coppice {

GpuStatus gpu_status() {
  return {.usable = false, .text = "this build has no CUDA"};
}

}  // namespace coppice
