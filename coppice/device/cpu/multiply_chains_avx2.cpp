#include "coppice/device/cpu/product_chains.h"

#include <algorithm>
#include <array>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#include <immintrin.h>

// From here on, code for these processors. What other sources have too was included before, and nothing of it may be left that is not inlined.
#pragma GCC target("arch=x86-64-v3")

#include "coppice/device/cpu/transpose_avx.h"

namespace coppice::chains {

namespace {

/// 6 rows of two vectors: 12 sums in 16 registers.
struct Vector : TransposeAvx {
  using Register = __m256;
  static constexpr std::size_t lanes = 8;
  static constexpr std::size_t rows = 6;
  static Register zero() { return _mm256_setzero_ps(); }
  static Register all(float value) { return _mm256_set1_ps(value); }
  static Register load(const float* from) { return _mm256_load_ps(from); }
  static Register load_anywhere(const float* from) { return _mm256_loadu_ps(from); }
  static void store(float* to, Register value) { _mm256_storeu_ps(to, value); }
  static Register fma(Register a, Register b, Register c) { return _mm256_fmadd_ps(a, b, c); }
};

}  // namespace

}  // namespace coppice::chains

#include "coppice/device/cpu/multiply_chains.h"

namespace coppice::chains {

void multiply_avx2(Side a, Op op_b, View<const float> b, View<float> c, float* panel) {
  multiply(a, op_b, b, c, panel);
}

}  // namespace coppice::chains

#else

namespace coppice::chains {

void multiply_avx2(Side a, Op op_b, View<const float> b, View<float> c, float*) {
  multiply_plainly(a, op_b, b, c);
}

}  // namespace coppice::chains

#endif
