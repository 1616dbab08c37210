#pragma once

#include "coppice/device/product.h"

#include <cstdint>

// What one warp multiplies: fragments of 16 x 8 and 8 x 8 numbers, spread over its lanes as the tensor cores want
// them. A lane with (g, t) = (lane / 4, lane % 4) holds the entries
//   a: (g, t) (g+8, t) (g, t+4) (g+8, t+4)     b: (t, g) (t+4, g)     c: (g, 2t) (g, 2t+1) (g+8, 2t) (g+8, 2t+1)
namespace coppice::cuda {

using FragmentA = float[4];
using FragmentB = float[2];
using FragmentC = float[4];

__device__ inline int lane_g() {
  return static_cast<int>(threadIdx.x) % 32 / 4;
}
__device__ inline int lane_t() {
  return static_cast<int>(threadIdx.x) % 4;
}

/// Four blocks of 8 x 4 numbers; lane i names row i % 8 of block i / 8 and receives entry (g, t) of each.
__device__ inline void read_blocks(const float* row, float& a, float& b, float& c, float& d) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "r"(address));
}

/// Fragments of the first factor from a tile. Rows that lie one after the other are read in blocks. Where the tile
/// is stored along the sum instead, a lane takes four neighbours of 32 rows at once; row(i, half) tells whose they
/// are.
template <class Tile, bool Alongside, int Count>
struct SideA {
  __device__ static void read(const float* tile, int first, int k, FragmentA (&a)[Count]) {
    if constexpr (Alongside) {
#pragma unroll
      for (int i = 0; i < Count; i += 2) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const float4 four = *reinterpret_cast<const float4*>(tile + (k + lane_t() + 4 * h) * Tile::pitch +
                                                               first + i * 16 + lane_g() * 4);
          a[i][2 * h] = four.x;
          a[i][2 * h + 1] = four.y;
          a[i + 1][2 * h] = four.z;
          a[i + 1][2 * h + 1] = four.w;
        }
      }
    } else {
      const int lane = static_cast<int>(threadIdx.x) % 32;
      const float* row = tile + (first + lane % 16) * Tile::pitch + k + lane / 16 * 4;
#pragma unroll
      for (int i = 0; i < Count; ++i)
        read_blocks(row + i * 16 * Tile::pitch, a[i][0], a[i][1], a[i][2], a[i][3]);
    }
  }
  /// Row of c that entries 2 half and 2 half + 1 of fragment i belong to.
  __device__ static int row(int i, int half) {
    return Alongside ? i / 2 * 32 + lane_g() * 4 + i % 2 * 2 + half : i * 16 + half * 8 + lane_g();
  }
  /// The first row of which fragment i holds any.
  __device__ static int first_row(int i) {
    return Alongside ? i / 2 * 32 : i * 16;
  }
};

/// The same for the second factor.
template <class Tile, bool Alongside, int Count>
struct SideB {
  __device__ static void read(const float* tile, int first, int k, FragmentB (&b)[Count]) {
    if constexpr (Alongside) {
#pragma unroll
      for (int j = 0; j < Count; j += 4) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const float4 four = *reinterpret_cast<const float4*>(tile + (k + lane_t() + 4 * h) * Tile::pitch +
                                                               first + j * 8 + lane_g() * 4);
          b[j][h] = four.x;
          b[j + 1][h] = four.y;
          b[j + 2][h] = four.z;
          b[j + 3][h] = four.w;
        }
      }
    } else {
      const int lane = static_cast<int>(threadIdx.x) % 32;
      const float* row = tile + (first + lane / 16 * 8 + lane % 8) * Tile::pitch + k + lane / 8 % 2 * 4;
#pragma unroll
      for (int j = 0; j < Count; j += 2) {
        read_blocks(row + j * 8 * Tile::pitch, b[j][0], b[j][1], b[j + 1][0], b[j + 1][1]);
      }
    }
  }
  /// Column of c that entry e (0 or 1) of fragment j belongs to.
  __device__ static int col(int j, int e) {
    return Alongside ? j / 4 * 32 + (lane_t() * 2 + e) * 4 + j % 4 : j * 8 + lane_t() * 2 + e;
  }
};

__device__ inline void mma_tf32(FragmentC& c, const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ inline void mma_bf16(FragmentC& c, const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// The tensor cores drop the last 13 bits; adding half of them first rounds instead.
__device__ inline std::uint32_t rounded(float value) {
  return __float_as_uint(value) + 0x1000U;
}

/// value = high + low + an error of 2^-22: high is exact in tf32, low is what it left.
__device__ inline void split(float value, std::uint32_t& high, std::uint32_t& low) {
  high = __float_as_uint(value) & 0xffffe000U;
  low = rounded(value - __uint_as_float(high));
}

__device__ inline std::uint32_t packed(float first, float second) {
  std::uint32_t both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  return both;
}

/// Numbers of N registers as the tensor cores take them; multiplied, they add `halves` times 8 products to each
/// entry of c.
template <Precision P>
struct Factors;

template <>
struct Factors<Precision::tf32> {
  static constexpr int halves = 1;
  template <int N>
  struct Of {
    std::uint32_t value[N];
    __device__ void take(const float (&f)[1][N]) {
#pragma unroll
      for (int i = 0; i < N; ++i) value[i] = rounded(f[0][i]);
    }
  };
  __device__ static void multiply(FragmentC& c, const Of<4>& a, const Of<2>& b) {
    mma_tf32(c, a.value, b.value);
  }
};

template <>
struct Factors<Precision::fp32> {
  static constexpr int halves = 1;
  template <int N>
  struct Of {
    std::uint32_t high[N];
    std::uint32_t low[N];
    __device__ void take(const float (&f)[1][N]) {
#pragma unroll
      for (int i = 0; i < N; ++i) split(f[0][i], high[i], low[i]);
    }
  };
  __device__ static void multiply(FragmentC& c, const Of<4>& a, const Of<2>& b) {
    mma_tf32(c, a.low, b.high);
    mma_tf32(c, a.high, b.low);
    mma_tf32(c, a.high, b.high);
  }
};

/// Pairs along the sum are (t, t+4): any order will do if both factors have the same.
template <>
struct Factors<Precision::bf16> {
  static constexpr int halves = 2;
  template <int N>
  struct Of {
    std::uint32_t value[N];
    __device__ void take(const float (&f)[2][N]) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int i = 0; i < N / 2; ++i) value[h * N / 2 + i] = packed(f[h][i], f[h][i + N / 2]);
      }
    }
  };
  __device__ static void multiply(FragmentC& c, const Of<4>& a, const Of<2>& b) {
    mma_bf16(c, a.value, b.value);
  }
};

}  // namespace coppice::cuda
