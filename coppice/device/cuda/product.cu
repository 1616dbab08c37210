// Products of many nets' matrices in one launch, on tensor cores. A block computes a tile of one net's c; its
// warps share tiles of a and b, which are copied a few steps ahead.
#include "coppice/device/cuda/finish.cuh"
#include "coppice/device/cuda/fragments.cuh"
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/product.h"
#include "coppice/device/cuda/product_wgmma.h"
#include "coppice/device/cuda/tile.cuh"

#include <algorithm>

namespace coppice::cuda {

namespace {

/// Sizes of a block's tile and of the part that one warp computes.
template <int Rows, int Cols, int WarpRows, int WarpCols, int Stages, int PerProcessor>
struct Shape {
  static constexpr int rows = Rows;
  static constexpr int cols = Cols;
  static constexpr int warp_rows = WarpRows;
  static constexpr int warp_cols = WarpCols;
  static constexpr int stages = Stages;
  static constexpr int per_processor = PerProcessor;  ///< blocks that its registers must leave room for
  static constexpr int warps_across = Cols / WarpCols;
  static constexpr int threads = (Rows / WarpRows) * warps_across * 32;
};
/// The large one reads least, the small one keeps the GPU busy when there is little to do.
using Large = Shape<128, 128, 32, 64, 3, 2>;
using Small = Shape<64, 64, 32, 32, 4, 2>;

template <class S, bool TransposedA, bool TransposedB, Precision P, bool Finished>
class Block {
  using ReaderA = TileReader<S::rows, TransposedA, S::threads>;
  using ReaderB = TileReader<S::cols, !TransposedB, S::threads>;
  static constexpr int down = S::warp_rows / 16;
  static constexpr int across = S::warp_cols / 8;
  using A = SideA<ReaderA, TransposedA, down>;
  using B = SideB<ReaderB, !TransposedB, across>;

 public:
  static constexpr std::size_t shared_bytes = S::stages * (ReaderA::size + ReaderB::size) * sizeof(float);

  __device__ explicit Block(const Product& p)
      : p_(p),
        net_(blockIdx.z / static_cast<unsigned>(p.parts)),
        part_(static_cast<int>(blockIdx.z) % p.parts),
        m_(extent_of(p.m, net_)),
        n_(extent_of(p.n, net_)),
        k_(extent_of(p.k, net_)),
        parts_(parts_of(p.cut, m_, n_, k_)),
        row_(static_cast<int>(blockIdx.y) * S::rows + warp() / S::warps_across * S::warp_rows),
        col_(static_cast<int>(blockIdx.x) * S::cols + warp() % S::warps_across * S::warp_cols) {}

  __device__ bool idle() const {
    return static_cast<int>(blockIdx.y) * S::rows >= m_ || static_cast<int>(blockIdx.x) * S::cols >= n_ ||
           part_ >= parts_;
  }

  __device__ void run(float* shared) {
    const int length = ((k_ + depth - 1) / depth + parts_ - 1) / parts_ * depth;
    const int begin = part_ * length;
    const int end = min(k_, begin + length);
    ReaderA a(p_.a, net_, m_, k_, static_cast<int>(blockIdx.y) * S::rows, begin);
    ReaderB b(p_.b, net_, n_, k_, static_cast<int>(blockIdx.x) * S::cols, begin);
    float* const shared_b = shared + S::stages * ReaderA::size;
    const auto read = [&](int k, int stage) {
      if (k < end) {
        a.read(shared + stage * ReaderA::size, k);
        b.read(shared_b + stage * ReaderB::size, k);
      }
      commit_copies();
    };
#pragma unroll
    for (int stage = 0; stage < S::stages - 1; ++stage) read(begin + stage * depth, stage);
    const bool whole = row_ + S::warp_rows <= m_;
    const bool outside = row_ >= m_ || col_ >= n_;
    int stage = 0;
    int free = S::stages - 1;
    for (int k = begin; k < end; k += depth) {
      wait_for_copies<S::stages - 2>();
      __syncthreads();
      read(k + (S::stages - 1) * depth, free);
      const float* tile_a = shared + stage * ReaderA::size;
      const float* tile_b = shared_b + stage * ReaderB::size;
      free = stage;
      stage = stage + 1 == S::stages ? 0 : stage + 1;
      if (outside) continue;
      if (whole) {
        multiply<true>(tile_a, tile_b);
      } else {
        multiply<false>(tile_a, tile_b);
      }
    }
    if (!outside) write();
  }

 private:
  __device__ static int warp() {
    return static_cast<int>(threadIdx.x) / 32;
  }

  /// Adds one tile's share. Whole: every row of the warp's part is a row of c; else those beyond are skipped,
  /// sixteen at a time, which is what makes padded widths cheap.
  template <bool Whole>
  __device__ void multiply(const float* tile_a, const float* tile_b) {
    using F = Factors<P>;
    const int row0 = row_ % S::rows;
    const int col0 = col_ % S::cols;
#pragma unroll
    for (int k = 0; k < depth; k += 8 * F::halves) {
      FragmentA a[F::halves][down];
      FragmentB b[F::halves][across];
#pragma unroll
      for (int h = 0; h < F::halves; ++h) {
        A::read(tile_a, row0, k + 8 * h, a[h]);
        B::read(tile_b, col0, k + 8 * h, b[h]);
      }
      typename F::template Of<2> right[across];
#pragma unroll
      for (int j = 0; j < across; ++j) {
        FragmentB both[F::halves];
#pragma unroll
        for (int h = 0; h < F::halves; ++h) {
          both[h][0] = b[h][j][0];
          both[h][1] = b[h][j][1];
        }
        right[j].take(both);
      }
#pragma unroll
      for (int i = 0; i < down; ++i) {
        if (!Whole && row_ + A::first_row(i) >= m_) break;
        FragmentA both[F::halves];
#pragma unroll
        for (int h = 0; h < F::halves; ++h) {
#pragma unroll
          for (int q = 0; q < 4; ++q) both[h][q] = a[h][i][q];
        }
        typename F::template Of<4> left;
        left.take(both);
#pragma unroll
        for (int j = 0; j < across; ++j) F::multiply(sum_[i][j], left, right[j]);
      }
    }
  }

  __device__ void write() const {
#pragma unroll
    for (int i = 0; i < down; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = row_ + A::row(i, half);
        if (row < m_) write_row(row, i, half);
      }
    }
  }

  __device__ void write_row(int row, int i, int half) const {
    float* to =
        p_.c + part_ * p_.part_stride + net_ * p_.c_net_stride + static_cast<std::size_t>(row) * p_.c_stride;
    const Finish<Finished> finish(p_, net_, row);
    // Entries of neighbouring columns: two of one fragment, or four of as many.
    constexpr int run = TransposedB ? 2 : 4;
#pragma unroll
    for (int r = 0; r < across * 2 / run; ++r) {
      float values[run];
#pragma unroll
      for (int q = 0; q < run; ++q) {
        const int j = TransposedB ? r : r / 2 * 4 + q;
        const int e = TransposedB ? q : r % 2;
        values[q] = finish(sum_[i][j][half * 2 + e]);
      }
      const int col = col_ + (TransposedB ? B::col(r, 0) : B::col(r / 2 * 4, r % 2));
      write_run(to, col, values);
    }
  }

  __device__ void write_run(float* to, int col, const float (&values)[2]) const {
    if (col + 1 < n_) {
      *reinterpret_cast<float2*>(to + col) = {values[0], values[1]};
    } else if (col < n_) {
      to[col] = values[0];
    }
  }
  __device__ void write_run(float* to, int col, const float (&values)[4]) const {
    if (col + 3 < n_) {
      *reinterpret_cast<float4*>(to + col) = {values[0], values[1], values[2], values[3]};
      return;
    }
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      if (col + q < n_) to[col + q] = values[q];
    }
  }

  const Product& p_;
  unsigned net_;
  int part_;
  int m_;
  int n_;
  int k_;
  int parts_;
  int row_;  ///< where the warp's part of c begins
  int col_;
  FragmentC sum_[down][across] = {};
};

template <class S, bool TransposedA, bool TransposedB, Precision P, bool Finished>
__global__ void __launch_bounds__(S::threads, S::per_processor)
    product_kernel(const __grid_constant__ Product p) {
  begin_kernel();
  extern __shared__ __align__(16) float shared[];
  Block<S, TransposedA, TransposedB, P, Finished> block(p);
  if (!block.idle()) block.run(shared);
}

template <class S>
dim3 grid_of(const Product& p, std::size_t nets) {
  const auto blocks = [](int size, int tile) { return static_cast<unsigned>((size + tile - 1) / tile); };
  return {blocks(p.n.most, S::cols), blocks(p.m.most, S::rows),
          static_cast<unsigned>(nets) * static_cast<unsigned>(p.parts)};
}

template <class S, bool TransposedA, bool TransposedB, Precision P, bool Finished>
void launch(const Product& p, std::size_t nets, const Stream& stream) {
  constexpr std::size_t bytes = Block<S, TransposedA, TransposedB, P, Finished>::shared_bytes;
  const auto kernel = product_kernel<S, TransposedA, TransposedB, P, Finished>;
  static OncePerGpu allow;
  allow("preparing products", [&] {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  });
  launch_kernel(kernel, {grid_of<S>(p, nets), S::threads, bytes}, stream, "multiplying matrices", p);
}

template <class S, Precision P>
void launch(const Product& p, std::size_t nets, const Stream& stream) {
  if (p.op_a == Op::transposed && p.op_b == Op::transposed) {
    check(cudaErrorInvalidValue, "multiplying two transposed matrices");
  }
  if (p.op_a == Op::transposed) {
    if (p.mean != nullptr) check(cudaErrorInvalidValue, "finishing the product of a transposed matrix");
    launch<S, true, false, P, false>(p, nets, stream);
  } else if (p.op_b == Op::transposed) {
    p.mean != nullptr ? launch<S, false, true, P, true>(p, nets, stream)
                      : launch<S, false, true, P, false>(p, nets, stream);
  } else {
    p.mean != nullptr ? launch<S, false, false, P, true>(p, nets, stream)
                      : launch<S, false, false, P, false>(p, nets, stream);
  }
}

/// Whether large tiles fill the GPU.
bool fills(const Product& p, std::size_t nets) {
  constexpr unsigned enough = 200;
  const dim3 grid = grid_of<Large>(p, nets);
  return p.cut.most == 1 && p.m.most > Small::rows && grid.x * grid.y * grid.z >= enough;
}

template <Precision P>
void launch(const Product& p, std::size_t nets, const Stream& stream) {
  fills(p, nets) ? launch<Large, P>(p, nets, stream) : launch<Small, P>(p, nets, stream);
}

}  // namespace

static_assert(Small::rows == cut_tile && Small::cols == cut_tile);

Cut cut_for(const Load& load, int most_k) {
  constexpr int full = 264;  // blocks
  Cut cut{.blocks = full / std::max(load.nets, 1), .most = most_parts};
  cut.most = parts_of(cut, 1, load.columns, most_k);
  return cut;
}

void product(const Product& p, std::size_t nets, Precision precision, const Stream& stream) {
  switch (precision) {
    case Precision::fp32:  // twice the registers per factor: small tiles only
      return launch<Small, Precision::fp32>(p, nets, stream);
    case Precision::tf32:
      if (wgmma_pays(p)) return product_wgmma(p, nets, stream);
      return launch<Precision::tf32>(p, nets, stream);
    case Precision::bf16:
      return launch<Precision::bf16>(p, nets, stream);
  }
}

}  // namespace coppice::cuda
