#pragma once

#include <cstdint>

// How the kernels see many nets of different sizes at once: arrays hold one padded block per net, and what
// lies beyond a net's own extents is neither read nor written.
namespace coppice::cuda {

/// A size that each net has for itself, or one that all share.
struct Extent {
  const int* per_net = nullptr;  ///< null: every net has the most
  int most = 0;
};

/// Rows of a matrix that all nets share, picked per net: row r of net i is row all[first[i] + r].
struct PickedRows {
  const std::uint32_t* all = nullptr;  ///< null: rows as they lie
  const std::uint32_t* first = nullptr;
};

#ifdef __CUDACC__
__device__ inline int extent_of(const Extent& extent, unsigned net) {
  return extent.per_net != nullptr ? extent.per_net[net] : extent.most;
}
#endif

}  // namespace coppice::cuda
