#pragma once

#include "coppice/device/cuda/runtime.h"

// Launches whose beginnings overlap: where the GPU can (Hopper and later), a kernel's blocks are placed while those of
// the one before still run, and wait there. That hides most of what a launch costs.
namespace coppice::cuda {

/// The first thing that every thread of a kernel does: waits until all that was launched before is complete.
__device__ inline void begin_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

struct Blocks {
  dim3 grid;
  unsigned threads = 0;
  std::size_t shared = 0;  ///< bytes
};

/// Launches a kernel that calls `begin_kernel`.
template <class... Parameters>
void launch_kernel(void (*kernel)(Parameters...), const Blocks& blocks, const Stream& stream,
                   const char* doing, const std::type_identity_t<Parameters>&... arguments) {
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks.grid;
  config.blockDim = blocks.threads;
  config.dynamicSmemBytes = blocks.shared;
  config.stream = stream.get();
  config.attrs = &overlap;
  config.numAttrs = stream.may_overlap() ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), doing);
}

}  // namespace coppice::cuda
