#pragma once

#include "coppice/device/cuda/product.h"

// Tiles of a factor on their way from global to shared memory.
namespace coppice::cuda {

/// Length of the pieces that sums are cut into.
constexpr int depth = 32;

/// 16 bytes, of which the first `valid` floats are copied and the others zero.
__device__ inline void copy_async(float* to, const float* from, int valid) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(valid * 4));
}
__device__ inline void commit_copies() {
  asm volatile("cp.async.commit_group;");
}
template <int Pending>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending));
}

/// Reads tiles of Width entries of one factor by `depth`. Alongside: rows of the matrix lie along the sum, so
/// the tile is stored [depth][Width], else [Width][depth]. Pitches are chosen so that the lanes of a warp that
/// read fragments at the same time meet different banks.
template <int Width, bool Alongside, int Threads>
class TileReader {
 public:
  static constexpr int rows = Alongside ? depth : Width;
  static constexpr int cols = Alongside ? Width : depth;
  static constexpr int pitch = Alongside ? cols + 8 : cols + 4;
  static constexpr int size = rows * pitch;

  __device__ TileReader(const Matrices& from, unsigned net, int width, int sum, int first)
      : data_(from.data + net * from.net_stride),
        pick_(from.pick.all != nullptr ? from.pick.all + from.pick.first[net] : nullptr),
        stride_(from.stride),
        row_end_(Alongside ? sum : width),
        col_end_(Alongside ? width : sum),
        first_(first) {
    find_rows(Alongside ? 0 : first);
  }

  /// Starts copying the tile whose sums begin at k.
  __device__ void read(float* to, int k) {
    const int row0 = Alongside ? k : first_;
    const int col0 = Alongside ? first_ : k;
#pragma unroll
    for (int i = 0; i < copies; ++i) {
      const int col = col0 + col_of(i);
      const int valid = row0 + row_of(i) < row_end_ ? max(0, min(4, col_end_ - col)) : 0;
      const float* from = valid > 0 ? data_ + static_cast<std::size_t>(source_[i]) * stride_ + col : data_;
      copy_async(to + row_of(i) * pitch + col_of(i), from, valid);
    }
    if (Alongside) find_rows(k + depth);
  }

 private:
  static constexpr int copies = rows * cols / 4 / Threads;

  __device__ static int row_of(int i) { return (i * Threads + static_cast<int>(threadIdx.x)) / (cols / 4); }
  __device__ static int col_of(int i) {
    return (i * Threads + static_cast<int>(threadIdx.x)) % (cols / 4) * 4;
  }
  /// Looks up picked rows a tile ahead, so that copies never wait for them.
  __device__ void find_rows(int row0) {
#pragma unroll
    for (int i = 0; i < copies; ++i) {
      const int row = row0 + row_of(i);
      source_[i] = pick_ != nullptr && row < row_end_ ? pick_[row] : static_cast<std::uint32_t>(row);
    }
  }

  const float* data_;
  const std::uint32_t* pick_;
  int stride_;
  int row_end_;
  int col_end_;
  int first_;
  std::uint32_t source_[copies];
};

}  // namespace coppice::cuda
