#include "coppice/device/cpu/product_chains.h"

#include <algorithm>
#include <array>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#include <immintrin.h>

// From here on, code for these processors. What other sources have too was included before, and nothing of it may be left that is not inlined.
#pragma GCC target("arch=x86-64-v4")
// GCC 12 takes the registers that its own intrinsics leave undefined on purpose for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include "coppice/device/cpu/transpose_avx.h"

namespace coppice::chains {

namespace {

/// 12 rows of two vectors: 24 sums in 32 registers.
struct Vector : TransposeAvx {
  using Register = __m512;
  static constexpr std::size_t lanes = 16;
  static constexpr std::size_t rows = 12;
  static Register zero() { return _mm512_setzero_ps(); }
  static Register all(float value) { return _mm512_set1_ps(value); }
  static Register load(const float* from) { return _mm512_load_ps(from); }
  static Register load_anywhere(const float* from) { return _mm512_loadu_ps(from); }
  static void store(float* to, Register value) { _mm512_storeu_ps(to, value); }
  static Register fma(Register a, Register b, Register c) { return _mm512_fmadd_ps(a, b, c); }
};

}  // namespace

}  // namespace coppice::chains

#include "coppice/device/cpu/multiply_chains.h"

namespace coppice::chains {

void multiply_avx512(Side a, Op op_b, View<const float> b, View<float> c, float* panel) {
  multiply(a, op_b, b, c, panel);
}

}  // namespace coppice::chains

#else

namespace coppice::chains {

void multiply_avx512(Side a, Op op_b, View<const float> b, View<float> c, float*) {
  multiply_plainly(a, op_b, b, c);
}

}  // namespace coppice::chains

#endif
