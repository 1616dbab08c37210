#include "coppice/device/cpu/multiply_bf16.h"

#include <algorithm>
#include <array>
#include <utility>

#if COPPICE_BF16_KERNELS

namespace coppice::bf16 {

namespace {

/// Rows of c computed together, and vectors of 16 columns: their sums fill 24 of the 32 vector registers.
constexpr std::size_t most_rows = 12;
constexpr std::size_t most_vectors = panel / pair_lanes;

/// c[0..Rows) x 16 * Vectors columns, as sums over pairs of products. `last` masks the last vector's columns.
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
      right[v] = reinterpret_cast<__m512bh>(_mm512_load_si512(b + (p * Vectors + v) * pair_lanes));
    }
#pragma GCC unroll 12
    for (std::size_t r = 0; r < Rows; ++r) {
      const auto left = reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(a[r * a_stride + p])));
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

}  // namespace

bool has_vectors() {
  return __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_is("amd");
}

void multiply_by_vectors(const Left& a, const Right& b, View<float> c) {
  for (std::size_t column = 0; column < c.cols; column += panel) {
    const std::size_t columns = std::min(panel, c.cols - column);
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

}  // namespace coppice::bf16

#endif
