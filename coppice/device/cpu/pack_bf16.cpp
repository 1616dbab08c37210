#include "coppice/device/cpu/pack_bf16.h"

#include <algorithm>

#if COPPICE_BF16_KERNELS

// GCC 12 takes the registers that its own intrinsics leave undefined on purpose for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace coppice::bf16 {

namespace {

/// 16 rows of 16 pairs, in registers.
using Square = __m512i[pair_lanes];

COPPICE_BF16 __mmask16 first_lanes(std::size_t count) {
  return static_cast<__mmask16>(count >= pair_lanes ? 0xFFFFU : (1U << count) - 1U);
}

/// Pairs of neighbours of one row: 32 floats from `from`, of which `count` exist.
COPPICE_BF16 __m512i neighbours_in_row(const float* from, std::size_t count) {
  const __m512 low = _mm512_maskz_loadu_ps(first_lanes(count), from);
  const __m512 high = _mm512_maskz_loadu_ps(first_lanes(count > 16 ? count - 16 : 0), from + 16);
  return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
}

/// Pairs of neighbours of 16 columns (`count` of them exist): one float from this row, one from the next.
COPPICE_BF16 __m512i neighbours_in_column(const float* row, const float* next, std::size_t count) {
  const __mmask16 mask = first_lanes(count);
  const __m512 low = _mm512_maskz_loadu_ps(mask, row);
  const __m512 high = next != nullptr ? _mm512_maskz_loadu_ps(mask, next) : _mm512_setzero_ps();
  const __m512i order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7,
                                         22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  return _mm512_permutexvar_epi16(order, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low)));
}

COPPICE_BF16 void transpose(Square& s) {
  Square t;
  for (std::size_t i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(s[i], s[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(s[i], s[i + 1]);
  }
  for (std::size_t i = 0; i < 16; i += 4) {
    s[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    s[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    s[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    s[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
  for (std::size_t i = 0; i < 16; i += 8) {
    for (std::size_t j = i; j < i + 4; ++j) {
      t[j] = _mm512_shuffle_i32x4(s[j], s[j + 4], 0x88);
      t[j + 4] = _mm512_shuffle_i32x4(s[j], s[j + 4], 0xDD);
    }
  }
  for (std::size_t j = 0; j < 8; ++j) {
    s[j] = _mm512_shuffle_i32x4(t[j], t[j + 8], 0x88);
    s[j + 8] = _mm512_shuffle_i32x4(t[j], t[j + 8], 0xDD);
  }
}

/// A square whose rows are rows of m and whose columns are pairs of neighbours in them.
COPPICE_BF16 void load_rows(View<const float> m, std::size_t row, std::size_t pair, Square& s) {
  for (std::size_t i = 0; i < pair_lanes; ++i) {
    s[i] = row + i < m.rows && 2 * pair < m.cols ? neighbours_in_row(m[row + i] + 2 * pair, m.cols - 2 * pair)
                                                 : _mm512_setzero_si512();
  }
}

/// A square whose rows are pairs of neighbouring rows of m and whose columns are columns of m.
COPPICE_BF16 void load_columns(View<const float> m, std::size_t pair, std::size_t column, Square& s) {
  for (std::size_t i = 0; i < pair_lanes; ++i) {
    const std::size_t row = 2 * (pair + i);
    s[i] = row < m.rows && column < m.cols
               ? neighbours_in_column(m[row] + column, row + 1 < m.rows ? m[row + 1] + column : nullptr,
                                      m.cols - column)
               : _mm512_setzero_si512();
  }
}

COPPICE_BF16 void store(const Square& s, std::uint32_t* to, std::size_t stride, std::size_t rows) {
  for (std::size_t i = 0; i < std::min(rows, pair_lanes); ++i) _mm512_store_si512(to + i * stride, s[i]);
}

constexpr std::size_t pairs_of(std::size_t inner) {
  return (inner + 1) / 2;
}

constexpr std::size_t rounded_up(std::size_t count, std::size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

void make_room(Words& words, std::size_t count) {
  if (words.size() < count) words.resize(count + count / 4);
}

COPPICE_BF16 void pack_left(Op op, View<const float> a, std::uint32_t* to, std::size_t stride) {
  const std::size_t rows = op == Op::plain ? a.rows : a.cols;
  const std::size_t pairs = pairs_of(op == Op::plain ? a.cols : a.rows);
  Square s;
  for (std::size_t row = 0; row < rows; row += pair_lanes) {
    for (std::size_t pair = 0; pair < pairs; pair += pair_lanes) {
      if (op == Op::plain) {
        load_rows(a, row, pair, s);
      } else {
        load_columns(a, pair, row, s);
        transpose(s);
      }
      store(s, to + row * stride + pair, stride, rows - row);
    }
  }
}

COPPICE_BF16 void pack_right(Op op, View<const float> b, std::size_t pairs, std::uint32_t* to) {
  const std::size_t columns = op == Op::plain ? b.cols : b.rows;
  Square s;
  for (std::size_t column = 0; column < columns; column += pair_lanes) {
    const std::size_t first = column / panel * panel;  // of the panel, which is 16 or 32 wide
    const std::size_t width = columns - first > pair_lanes ? panel : pair_lanes;
    for (std::size_t pair = 0; pair < pairs; pair += pair_lanes) {
      if (op == Op::plain) {
        load_columns(b, pair, column, s);
      } else {
        load_rows(b, column, pair, s);
        transpose(s);
      }
      store(s, to + first * pairs + pair * width + (column - first), width, pairs - pair);
    }
  }
}

}  // namespace

void Left::pack(Op op, View<const float> a) {
  const std::size_t rows = op == Op::plain ? a.rows : a.cols;
  const std::size_t pairs = pairs_of(op == Op::plain ? a.cols : a.rows);
  // whole cache lines, an odd number of them: rows that are used together do not push each other out of cache
  stride_ = (rounded_up(pairs, pair_lanes) / pair_lanes | 1U) * pair_lanes;
  make_room(words_, rounded_up(rows, panel) * stride_);
  pack_left(op, a, words_.data(), stride_);
}

void Right::pack(Op op, View<const float> b) {
  const std::size_t columns = op == Op::plain ? b.cols : b.rows;
  pairs_ = pairs_of(op == Op::plain ? b.rows : b.cols);
  room_ = rounded_up(pairs_, pair_lanes);
  make_room(words_, rounded_up(columns, panel) * room_);
  pack_right(op, b, room_, words_.data());
}

}  // namespace coppice::bf16

#endif
