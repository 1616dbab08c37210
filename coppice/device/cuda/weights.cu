// Weights of picked rows: a thread per sample.
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/weights.h"

namespace coppice::cuda {

namespace {

constexpr unsigned block = 128;

__global__ void gather_kernel(const float* weights, const PickedRows pick, const Extent samples, float* to,
                              std::size_t stride) {
  begin_kernel();
  const unsigned net = blockIdx.y;
  const auto i = static_cast<std::size_t>(blockIdx.x) * block + threadIdx.x;
  if (i >= stride) return;
  const bool there = static_cast<int>(i) < extent_of(samples, net);
  const std::size_t row = !there ? 0 : pick.all != nullptr ? pick.all[pick.first[net] + i] : i;
  to[net * stride + i] = there ? weights[row] : 0.0F;
}

}  // namespace

void gather_weights(const float* weights, const PickedRows& pick, const Extent& samples, float* to,
                    std::size_t stride, std::size_t nets, const Stream& stream) {
  const dim3 grid(static_cast<unsigned>((stride + block - 1) / block), static_cast<unsigned>(nets));
  launch_kernel(gather_kernel, {grid, block}, stream, "weights of rows", weights, pick, samples, to, stride);
}

}  // namespace coppice::cuda
