#pragma once

#include "coppice/device/cuda/product.h"

// Tiles of a factor on their way from global to shared memory.
namespace coppice::cuda {

/// Length of the pieces that sums are cut into.
constexpr int depth = 32;

/// 16 bytes, of which the first `valid` floats are copied and the others zero.
__device__ inline void copy_async(unsigned to, const float* from, int valid) {
  asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(valid * 4));
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

  /// first: of the entries; begin: of the sums.
  __device__ TileReader(const Matrices& from, unsigned net, int width, int sum, int first, int begin = 0)
      : pick_(from.pick.all != nullptr ? from.pick.all + from.pick.first[net] : nullptr),
        stride_(from.stride),
        row_end_((Alongside ? sum : width) - row()),
        col_end_((Alongside ? width : sum) - col()),
        first_(first),
        data_(from.data + net * from.net_stride + col()) {
    find_rows(Alongside ? begin : first);
  }

  /// Starts copying the tile whose sums begin at k.
  __device__ void read(float* to, int k) {
    const int row0 = Alongside ? k : first_;
    const int col0 = Alongside ? first_ : k;
    const int valid = max(0, min(4, col_end_ - col0));
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to + row() * pitch + col()));
#pragma unroll
    for (int i = 0; i < copies; ++i) {
      const bool inside = row0 + i * rows_apart < row_end_;
      const float* from = data_ + static_cast<std::size_t>(source_[i]) * stride_ + col0;
      copy_async(shared + i * rows_apart * pitch * sizeof(float), inside ? from : data_, inside ? valid : 0);
    }
    if (Alongside) find_rows(k + depth);
  }

 private:
  static constexpr int chunks = cols / 4;  ///< copies per row
  static constexpr int rows_apart = Threads / chunks;
  static constexpr int copies = rows / rows_apart;
  static_assert(Threads % chunks == 0 && rows % rows_apart == 0);

  /// Where the thread's first copy goes; the others lie below it, so many rows apart.
  __device__ static int row() {
    return static_cast<int>(threadIdx.x) / chunks;
  }
  __device__ static int col() {
    return static_cast<int>(threadIdx.x) % chunks * 4;
  }

  /// Looks up picked rows a tile ahead, so that copies never wait for them.
  __device__ void find_rows(int row0) {
#pragma unroll
    for (int i = 0; i < copies; ++i) {
      const int below = row0 + i * rows_apart;
      const bool look = pick_ != nullptr && below < row_end_;
      source_[i] = look ? pick_[below + row()] : static_cast<std::uint32_t>(below + row());
    }
  }

  const std::uint32_t* pick_;
  int stride_;
  int row_end_;  ///< relative to the thread's first copy, like col_end_
  int col_end_;
  int first_;
  const float* data_;
  std::uint32_t source_[copies];
};

}  // namespace coppice::cuda
