#include "coppice/device/cpu/multiply_bf16.h"
#include "coppice/device/processor.h"
#include "coppice/device/product.h"

#include <bit>
#include <cstdint>
#include <utility>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

// What AVX512-BF16's instruction does, by chains: of every pair of neighbours along the inner dimension it adds the second product to
// the sum, then the first, each fused, and takes numbers below float's normal ones for zero.
namespace coppice {

namespace {

/// While one lives, this thread's numbers below the normal ones are zero.
class FlushTiny {
 public:
#if defined(__x86_64__)
  FlushTiny() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | 0x8040U);
  }
  ~FlushTiny() {
    _mm_setcsr(before_);
  }
#else
  FlushTiny() = default;
  ~FlushTiny() = default;
#endif
  FlushTiny(const FlushTiny&) = delete;
  FlushTiny& operator=(const FlushTiny&) = delete;

 private:
  [[maybe_unused]] unsigned before_ = 0;
};

/// To the nearest bf16, halves to even; too small: zero; no number stays none.
float rounded(float value) {
  constexpr std::uint32_t exponent = 0x7F800000U;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t nearest = (bits + 0x7FFFU + (bits >> 16U & 1U)) & 0xFFFF0000U;
  const std::uint32_t no_number = (bits | 0x00400000U) & 0xFFFF0000U;
  const std::uint32_t large = (bits & ~0x80000000U) > exponent ? no_number : nearest;
  return std::bit_cast<float>((bits & exponent) == 0 ? bits & 0x80000000U : large);
}

void round_row(const float* from, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = rounded(from[i]);
}

/// m rounded, where the inner dimension lies as before, but of each pair the second before the first; an odd one ends with a zero.
void round_pairs(View<const float> m, bool inner_along_rows, Matrix<float>& to) {
  const auto even = [](std::size_t count) { return count + count % 2; };
  to.reshape(inner_along_rows ? even(m.rows) : m.rows, inner_along_rows ? m.cols : even(m.cols));
  if (inner_along_rows) {
    for (std::size_t k = 0; k < m.rows; ++k) round_row(m[k], m.cols, to[k ^ 1U]);
    if (m.rows % 2 != 0) std::fill_n(to[m.rows - 1], m.cols, 0.0F);
    return;
  }
  for (std::size_t i = 0; i < m.rows; ++i) {
    const float* from = m[i];
    float* row = to[i];
    for (std::size_t k = 0; k + 1 < m.cols; k += 2) {
      row[k] = rounded(from[k + 1]);
      row[k + 1] = rounded(from[k]);
    }
    if (m.cols % 2 == 0) continue;
    row[m.cols - 1] = 0;
    row[m.cols] = rounded(from[m.cols - 1]);
  }
}

void multiply_rounded(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  thread_local Matrix<float> left;
  thread_local Matrix<float> right;
  round_pairs(a, op_a == Op::transposed, left);
  round_pairs(b, op_b == Op::plain, right);
  const FlushTiny flush;
  product_of_chains(op_a, std::as_const(left).view(), op_b, std::as_const(right).view(), c);
}

#if COPPICE_BF16_KERNELS

void multiply_by_instruction(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  thread_local bf16::Left left;
  thread_local bf16::Right right;
  left.pack(op_a, a);
  right.pack(op_b, b);
  bf16::multiply_by_vectors(left, right, c);
}

/// Whether this processor's instruction is what it is taken for, on numbers of all sizes.
bool instruction_agrees() {
  if (!bf16::has_vectors()) return false;
  constexpr std::size_t size = 61;
  Matrix<float> a(size, size);
  Matrix<float> b(size, size);
  std::uint32_t state = 1;
  const auto next = [&state] {
    state = state * 1664525U + 1013904223U;
    const std::uint32_t exponent = 60U + (state >> 8U) % 80U;  // products reach below the normal numbers
    return std::bit_cast<float>((state & 0x807FFFFFU) | exponent << 23U);
  };
  for (std::size_t i = 0; i < size; ++i) {
    for (float& value : a.row(i)) value = next();
    for (float& value : b.row(i)) value = next();
  }
  Matrix<float> by_chains(size, size);
  Matrix<float> by_instruction(size, size);
  const View<const float> left = std::as_const(a).view();
  const View<const float> right = std::as_const(b).view();
  multiply_rounded(Op::plain, left, Op::plain, right, by_chains);
  multiply_by_instruction(Op::plain, left, Op::plain, right, by_instruction);
  return by_chains == by_instruction;
}

#endif

}  // namespace

void product_bf16_of_chains(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
#if COPPICE_BF16_KERNELS
  static const bool agrees = instruction_agrees();
  if (agrees && portable_vectors() == Vectors::avx512) return multiply_by_instruction(op_a, a, op_b, b, c);
#endif
  multiply_rounded(op_a, a, op_b, b, c);
}

}  // namespace coppice
