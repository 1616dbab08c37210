#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/product.h"

#include <cstddef>

// Products of portable arithmetic. Every element of c is one chain of fused multiply-adds over the inner dimension, from its beginning to its
// end and from zero on:
//   c(i, j) = fma(a(i, n-1), b(n-1, j), ... fma(a(i, 1), b(1, j), fma(a(i, 0), b(0, j), 0)))
// Elements know nothing of each other, so a processor computes as many side by side as its registers hold, and the result is the
// same for all.
namespace coppice::chains {

/// One side of a product as it lies in memory: element (i, k) of op(a) is data[i * along_rows + k * along_inner].
struct Side {
  const float* data = nullptr;
  std::size_t along_rows = 0;
  std::size_t along_inner = 0;
};

/// Columns that are computed together take so much memory for every inner index.
constexpr std::size_t widest_panel = 32;

/// c = op(a) op(b), by vectors of 512 and 256 bits. `panel`, on a cache line, has room for the inner dimension times the widest panel.
void multiply_avx512(Side a, Op op_b, View<const float> b, View<float> c, float* panel);
void multiply_avx2(Side a, Op op_b, View<const float> b, View<float> c, float* panel);
/// The same, one element at a time: right everywhere.
void multiply_plainly(Side a, Op op_b, View<const float> b, View<float> c);

}  // namespace coppice::chains
