#include "coppice/device/product.h"

#include "coppice/device/cpu/pack_bf16.h"

#include <algorithm>
#include <array>
#include <utility>

#if COPPICE_BF16_KERNELS

namespace coppice {

namespace {

using bf16::pair_lanes;

/// Rows of c computed together, and vectors of 16 columns: their sums fill 24 of the 32 vector registers.
constexpr std::size_t most_rows = 12;
constexpr std::size_t most_vectors = 2;

/// c[0..rows) x 16 * vectors columns, as sums over pairs of products. `last` masks the last vector's columns.
template <std::size_t Rows, std::size_t Vectors>
COPPICE_BF16 void small_product(const std::uint32_t* a, std::size_t a_stride, const std::uint32_t* b,
                                std::size_t pairs, float* c, std::size_t c_stride, __mmask16 last) {
  __m512 sum[Rows][Vectors];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < Vectors; ++v) sum[r][v] = _mm512_setzero_ps();
  }
  for (std::size_t p = 0; p < pairs; ++p) {
    __m512bh right[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) {
      right[v] = bf16::as_pairs(_mm512_load_si512(b + (p * Vectors + v) * pair_lanes));
    }
#pragma GCC unroll 12
    for (std::size_t r = 0; r < Rows; ++r) {
      const __m512bh left = bf16::as_pairs(_mm512_set1_epi32(static_cast<int>(a[r * a_stride + p])));
      for (std::size_t v = 0; v < Vectors; ++v) sum[r][v] = _mm512_dpbf16_ps(sum[r][v], left, right[v]);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < Vectors; ++v) {
      const __mmask16 mask = v + 1 == Vectors ? last : static_cast<__mmask16>(0xFFFF);
      _mm512_mask_storeu_ps(c + r * c_stride + v * pair_lanes, mask, sum[r][v]);
    }
  }
}

using SmallProduct = void (*)(const std::uint32_t*, std::size_t, const std::uint32_t*, std::size_t, float*,
                              std::size_t, __mmask16);

template <std::size_t Vectors, std::size_t... Rows>
constexpr std::array<SmallProduct, most_rows> small_products(std::index_sequence<Rows...>) {
  return {&small_product<Rows + 1, Vectors>...};
}

/// [vectors - 1][rows - 1]
constexpr std::array<std::array<SmallProduct, most_rows>, most_vectors> kernels{
    small_products<1>(std::make_index_sequence<most_rows>{}),
    small_products<2>(std::make_index_sequence<most_rows>{})};

/// All columns of c from a packed left side and the panels of a packed right side.
void multiply(const bf16::Left& a, const bf16::Right& b, View<float> c) {
  for (std::size_t column = 0; column < c.cols; column += bf16::panel) {
    const std::size_t columns = std::min(bf16::panel, c.cols - column);
    const std::size_t vectors = (columns + pair_lanes - 1) / pair_lanes;
    const std::size_t in_last = columns - (vectors - 1) * pair_lanes;
    const auto last = static_cast<__mmask16>((1U << in_last) - 1U);
    for (std::size_t row = 0; row < c.rows; row += most_rows) {
      const std::size_t rows = std::min(most_rows, c.rows - row);
      kernels[vectors - 1][rows - 1](a[row], a.stride(), b.panel_at(column), b.pairs(), c[row] + column,
                                     c.stride, last);
    }
  }
}

/// Whether the instructions are there and do what they should: some virtual machines promise too much.
bool works() {
  if (!__builtin_cpu_supports("avx512bf16") || !__builtin_cpu_supports("avx512bw")) return false;
  Matrix<float> a(13, 37);
  Matrix<float> b(37, 21);
  for (std::size_t k = 0; k < 37; ++k) {
    for (std::size_t i = 0; i < 13; ++i) a(i, k) = static_cast<float>((i * 5 + k * 3) % 7) - 3;
    for (std::size_t j = 0; j < 21; ++j) b(k, j) = static_cast<float>((j * 2 + k * 11) % 9) - 4;
  }
  Matrix<float> c(13, 21);
  bf16::Left left;
  bf16::Right right;
  left.pack(Op::plain, std::as_const(a).view());
  right.pack(Op::plain, std::as_const(b).view());
  multiply(left, right, c);
  for (std::size_t i = 0; i < 13; ++i) {
    for (std::size_t j = 0; j < 21; ++j) {
      float sum = 0;  // of small whole numbers, which bf16 holds exactly
      for (std::size_t k = 0; k < 37; ++k) sum += a(i, k) * b(k, j);
      if (c(i, j) != sum) return false;
    }
  }
  return true;
}

}  // namespace

bool bf16_works() {
  static const bool answer = works();
  return answer;
}

void product_bf16(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  thread_local bf16::Left left;
  thread_local bf16::Right right;
  left.pack(op_a, a);
  right.pack(op_b, b);
  multiply(left, right, c);
}

}  // namespace coppice

#else

namespace coppice {

bool bf16_works() {
  return false;
}

void product_bf16(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  product(op_a, a, op_b, b, c);
}

}  // namespace coppice

#endif

namespace coppice {

std::string precision_warning(Precision precision) {
  if (precision != Precision::bf16 || bf16_works()) return {};
  return "this processor has no bf16 instructions (AVX512-BF16): products are computed in fp32";
}

}  // namespace coppice
