#pragma once

#include "coppice/device/product.h"

#include <cstdint>

// What one warp multiplies: fragments of 16 x 16 and 16 x 8 numbers, spread over its lanes as the tensor cores
// want them. A lane with (g, t) = (lane / 4, lane % 4) holds, per half of 8 along the sum, the entries
//   a: (g, t) (g+8, t) (g, t+4) (g+8, t+4)     b: (t, g) (t+4, g)     c: (g, 2t) (g, 2t+1) (g+8, 2t) (g+8, 2t+1)
namespace coppice::cuda {

struct FragmentA {
  float half[2][4];
};
struct FragmentB {
  float half[2][2];
};
using FragmentC = float[4];

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

/// The numbers of a fragment as the tensor cores take them.
template <Precision P>
struct Factors;

template <>
struct Factors<Precision::tf32> {
  std::uint32_t a[2][4];
  std::uint32_t b[2][2];
  __device__ void take(const FragmentA& f) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int i = 0; i < 4; ++i) a[h][i] = rounded(f.half[h][i]);
    }
  }
  __device__ void take(const FragmentB& f) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int i = 0; i < 2; ++i) b[h][i] = rounded(f.half[h][i]);
    }
  }
  __device__ static void multiply(FragmentC& c, const Factors& left, const Factors& right) {
    mma_tf32(c, left.a[0], right.b[0]);
    mma_tf32(c, left.a[1], right.b[1]);
  }
};

template <>
struct Factors<Precision::fp32> {
  std::uint32_t a[2][2][4];
  std::uint32_t b[2][2][2];
  __device__ void take(const FragmentA& f) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int i = 0; i < 4; ++i) split(f.half[h][i], a[h][0][i], a[h][1][i]);
    }
  }
  __device__ void take(const FragmentB& f) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int i = 0; i < 2; ++i) split(f.half[h][i], b[h][0][i], b[h][1][i]);
    }
  }
  __device__ static void multiply(FragmentC& c, const Factors& left, const Factors& right) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      mma_tf32(c, left.a[h][1], right.b[h][0]);
      mma_tf32(c, left.a[h][0], right.b[h][1]);
      mma_tf32(c, left.a[h][0], right.b[h][0]);
    }
  }
};

/// Pairs along the sum are (t, t+4): any order will do if both factors have the same.
template <>
struct Factors<Precision::bf16> {
  std::uint32_t a[4];
  std::uint32_t b[2];
  __device__ void take(const FragmentA& f) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      a[2 * h] = packed(f.half[h][0], f.half[h][2]);
      a[2 * h + 1] = packed(f.half[h][1], f.half[h][3]);
    }
  }
  __device__ void take(const FragmentB& f) {
#pragma unroll
    for (int h = 0; h < 2; ++h) b[h] = packed(f.half[h][0], f.half[h][1]);
  }
  __device__ static void multiply(FragmentC& c, const Factors& left, const Factors& right) {
    mma_bf16(c, left.a, right.b);
  }
};

}  // namespace coppice::cuda
