#pragma once

// Sums over a warp, in an order that never changes.
namespace coppice::cuda {

constexpr unsigned warp_size = 32;
/// Warps per block where each warp works on a unit of its own.
constexpr unsigned warps = 8;

__device__ inline unsigned lane() {
  return threadIdx.x % warp_size;
}

template <class T>
__device__ T warp_sum(T value) {
#pragma unroll
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffffU, value, distance);
  }
  return value;
}

/// Blocks of `warps` warps for so many units.
inline unsigned blocks_for(int units) {
  return (static_cast<unsigned>(units) + warps - 1) / warps;
}

}  // namespace coppice::cuda
