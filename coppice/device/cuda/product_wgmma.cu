// Products on Hopper's tensor cores. A block computes the transposed tile: rows of op_b(b)'s columns, which go
// through registers and so may lie either way, times rows of a, which must lie along the sums. Widths of nets are
// then the second extent, which comes in steps of 32.
#include "coppice/device/cuda/bulk_copy.cuh"
#include "coppice/device/cuda/finish.cuh"
#include "coppice/device/cuda/fragments.cuh"
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/product_wgmma.h"
#include "coppice/device/cuda/tile.cuh"
#include "coppice/device/cuda/wgmma.cuh"

namespace coppice::cuda {

namespace {

constexpr int threads = 256;          // two warpgroups
constexpr int columns = threads / 2;  // of c per block: 16 per warp
/// Rows of c per block at most: many read least, few let two blocks share a processor.
template <int MostRows>
constexpr int stages = MostRows > 128 ? 4 : 3;

/// Tiles of op_b(b). Alongside: b is plain, its rows lie along the sums.
template <bool Alongside>
using ReaderB = TileReader<columns, Alongside, threads>;
/// Rows of a that are copied at a time.
constexpr int block_rows = 32;

template <bool Alongside, int MostRows>
constexpr std::size_t shared_bytes =
    stages<MostRows>*((MostRows * depth + ReaderB<Alongside>::size) * sizeof(float) + sizeof(std::uint64_t));

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/// What a warp takes of a tile of b: 16 columns of c by all of `depth`. Column g of a fragment is the first of
/// the neighbours 2 g and 2 g + 1 if b lies alongside, else column g itself.
template <bool Alongside>
struct SliceB {
  std::uint32_t value[depth / 8][4];

  __device__ void read(const float* tile, int first) {
    using Tile = ReaderB<Alongside>;
#pragma unroll
    for (int k = 0; k < depth / 8; ++k) {
      float b[1][4];
      if constexpr (Alongside) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const float2 two = *reinterpret_cast<const float2*>(
              tile + (k * 8 + lane_t() + 4 * h) * Tile::pitch + first + lane_g() * 2);
          b[0][2 * h] = two.x;
          b[0][2 * h + 1] = two.y;
        }
      } else {
        SideA<Tile, false, 1>::read(tile, first, k * 8, b);
      }
#pragma unroll
      for (int q = 0; q < 4; ++q) value[k][q] = rounded(b[0][q]);
    }
  }
  __device__ static int column(int half) {
    return Alongside ? lane_g() * 2 + half : lane_g() + half * 8;
  }
};

template <bool Alongside, int MostRows, bool Finished>
class TransposedTile {
 public:
  __device__ TransposedTile(const Product& p, const CUtensorMap& a, float* shared)
      : p_(p),
        a_(a),
        net_(blockIdx.z),
        m_(extent_of(p.m, net_)),
        n_(extent_of(p.n, net_)),
        k_(extent_of(p.k, net_)),
        row_(static_cast<int>(blockIdx.y) * MostRows),
        col_(static_cast<int>(blockIdx.x) * columns),
        shared_a_(shared),
        shared_b_(shared_a_ + count * size_a),
        arrivals_(reinterpret_cast<Arrivals*>(shared_b_ + count * ReaderB<Alongside>::size)) {}

  __device__ void run() {
    if (row_ >= m_ || col_ >= n_) return;
    run<MostRows>();
  }

 private:
  static constexpr int count = stages<MostRows>;
  static constexpr int size_a = MostRows * depth;

  /// One thread asks for the rows of a.
  template <int Rows>
  __device__ void read_a(int k, int stage) {
    if (threadIdx.x > 0) return;
    arrivals_[stage].expect(Rows * depth * sizeof(float));
    const int row = static_cast<int>(net_ * (p_.a.net_stride / static_cast<unsigned>(p_.a.stride))) + row_;
#pragma unroll
    for (int i = 0; i < Rows; i += block_rows) {
      bulk_copy(shared_a_ + stage * size_a + i * depth, a_, row + i, k, arrivals_[stage]);
    }
  }

  /// Finds the fewest rows that will do.
  template <int Rows>
  __device__ void run() {
    if constexpr (Rows > 32) {
      if (m_ - row_ <= Rows - 32) return run<Rows - 32>();
    }
    multiply<Rows>();
  }

  template <int Rows>
  __device__ void multiply() {
    if (threadIdx.x == 0) {
      for (int stage = 0; stage < count; ++stage) arrivals_[stage].init();
      Arrivals::show_init();
    }
    __syncthreads();
    ReaderB<Alongside> b(p_.b, net_, n_, k_, col_);
    const int end = max(k_, 1);  // a sum of nothing is a tile of zeros
    const auto read = [&](int k, int stage) {
      if (k < end) {
        read_a<Rows>(k, stage);
        b.read(shared_b_ + stage * ReaderB<Alongside>::size, k);
      }
      commit_copies();
    };
    // Products of one tile run while the next one's are prepared, so a stage is free two tiles later.
    constexpr int ahead = count - 2;
#pragma unroll
    for (int stage = 0; stage < ahead; ++stage) read(stage * depth, stage);
    float sums[Rows / 2] = {};
    SliceB<Alongside> slices[2];
    const int own = static_cast<int>(threadIdx.x) / 32 * 16;
    int stage = 0;
    unsigned turn = 0;
    int free = ahead;
    const auto step = [&](int k, SliceB<Alongside>& slice) {
      wait_for_copies<ahead - 1>();
      __syncthreads();
      read(k + ahead * depth, free);
      const float* tile_a = shared_a_ + stage * size_a;
      slice.read(shared_b_ + stage * ReaderB<Alongside>::size, own);
      arrivals_[stage].wait(turn);
      wgmma_fence();
#pragma unroll
      for (int part = 0; part < depth / 8; ++part) {
        wgmma_tf32(sums, slice.value[part], wgmma_rows(tile_a, part * 8));
      }
      wgmma_commit();
      wgmma_wait<1>();
      stage = stage + 1 == count ? 0 : stage + 1;
      if (stage == 0) turn ^= 1U;
      free = free + 1 == count ? 0 : free + 1;
    };
    for (int k = 0;; k += 2 * depth) {
      step(k, slices[0]);
      if (k + depth >= end) break;
      step(k + depth, slices[1]);
      if (k + 2 * depth >= end) break;
    }
    wgmma_wait<0>();
    write<Rows>(sums, col_ + own);
  }

  template <int Rows>
  __device__ void write(const float (&sums)[Rows / 2], int first) const {
    const int col = first + SliceB<Alongside>::column(0);
    const int next = first + SliceB<Alongside>::column(1);
#pragma unroll
    for (int j = 0; j < Rows / 8; ++j) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int row = row_ + j * 8 + lane_t() * 2 + e;
        if (row >= m_) continue;
        const Finish<Finished> finish(p_, net_, row);
        const float2 two{finish(sums[j * 4 + e]), finish(sums[j * 4 + 2 + e])};
        float* to = p_.c + net_ * p_.c_net_stride + static_cast<std::size_t>(row) * p_.c_stride;
        if (Alongside && next < n_) {
          *reinterpret_cast<float2*>(to + col) = two;
          continue;
        }
        if (col < n_) to[col] = two.x;
        if (next < n_) to[next] = two.y;
      }
    }
  }

  const Product& p_;
  const CUtensorMap& a_;
  unsigned net_;
  int m_;
  int n_;
  int k_;
  int row_;
  int col_;
  float* shared_a_;
  float* shared_b_;
  Arrivals* arrivals_;
};

#endif

template <bool Alongside, int MostRows, bool Finished>
__global__ void __launch_bounds__(threads, MostRows > 128 ? 1 : 2)
    transposed_kernel(const __grid_constant__ Product p, const __grid_constant__ CUtensorMap a) {
  begin_kernel();
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) float shared[];
  TransposedTile<Alongside, MostRows, Finished>(p, a, shared).run();
#else
  __trap();  // not asked for, see wgmma_pays
#endif
}

unsigned parts(int size, int of) {
  return static_cast<unsigned>((size + of - 1) / of);
}

/// The matrices a of all nets, one below the other, as the copy engine sees them.
CUtensorMap map_of(const Product& p, std::size_t nets) {
  using Encode = decltype(&cuTensorMapEncodeTiled);
  static const Encode encode = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    check(
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result),
        "preparing copies");
    if (found == nullptr) check(cudaErrorCallRequiresNewerDriver, "preparing copies");
    return reinterpret_cast<Encode>(found);
  }();
  const auto stride = static_cast<cuuint64_t>(p.a.stride);
  const cuuint64_t sizes[] = {static_cast<cuuint64_t>(p.k.most),
                              (nets - 1) * (p.a.net_stride / stride) + static_cast<cuuint64_t>(p.m.most)};
  const cuuint64_t strides[] = {stride * sizeof(float)};
  constexpr cuuint32_t block[] = {depth, block_rows};
  constexpr cuuint32_t steps[] = {1, 1};
  CUtensorMap map;
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(p.a.data), sizes, strides, block,
             steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue, "preparing copies");
  return map;
}

template <bool Alongside, int MostRows, bool Finished>
void launch(const Product& p, std::size_t nets, const Stream& stream) {
  constexpr std::size_t bytes = shared_bytes<Alongside, MostRows>;
  const auto kernel = transposed_kernel<Alongside, MostRows, Finished>;
  static OncePerGpu allow;
  allow("preparing products", [&] {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  });
  const dim3 grid(parts(p.n.most, columns), parts(p.m.most, MostRows), static_cast<unsigned>(nets));
  launch_kernel(kernel, {grid, threads, bytes}, stream, "multiplying matrices", p, map_of(p, nets));
}

template <bool Alongside, int MostRows>
void launch(const Product& p, std::size_t nets, const Stream& stream) {
  if (p.mean != nullptr) {
    launch<Alongside, MostRows, true>(p, nets, stream);
  } else {
    launch<Alongside, MostRows, false>(p, nets, stream);
  }
}

template <bool Alongside>
void launch(const Product& p, std::size_t nets, const Stream& stream) {
  if (p.m.most > 128) {
    launch<Alongside, 256>(p, nets, stream);
  } else {
    launch<Alongside, 128>(p, nets, stream);
  }
}

}  // namespace

bool wgmma_pays(const Product& p) {
  constexpr unsigned enough = 100;  // blocks
#ifdef COPPICE_WGMMA
  constexpr bool built = true;
#else
  constexpr bool built = false;
#endif
  return built && p.op_a == Op::plain &&
         parts(p.load.columns, columns) * static_cast<unsigned>(p.load.nets) >= enough && p.cut.most == 1 &&
         gpu_generation() == 9;
}

void product_wgmma(const Product& p, std::size_t nets, const Stream& stream) {
  if (p.op_b == Op::plain) {
    launch<true>(p, nets, stream);
  } else {
    launch<false>(p, nets, stream);
  }
}

}  // namespace coppice::cuda
