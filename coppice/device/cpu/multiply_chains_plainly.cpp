#include "coppice/device/cpu/product_chains.h"

#include <algorithm>
#include <cmath>

namespace coppice::chains {

/// Right everywhere, and the definition; where the processor cannot fuse, the C library computes what it would.
void multiply_plainly(Side a, Op op_b, View<const float> b, View<float> c) {
  const std::size_t inner = op_b == Op::plain ? b.rows : b.cols;
  const std::size_t along_inner = op_b == Op::plain ? b.stride : 1;
  const std::size_t along_cols = op_b == Op::plain ? 1 : b.stride;
  for (std::size_t i = 0; i < c.rows; ++i) {
    std::fill_n(c[i], c.cols, 0.0F);
    for (std::size_t k = 0; k < inner; ++k) {
      const float left = a.data[i * a.along_rows + k * a.along_inner];
      const float* right = b.data + k * along_inner;
      for (std::size_t j = 0; j < c.cols; ++j) c(i, j) = std::fma(left, right[j * along_cols], c(i, j));
    }
  }
}

}  // namespace coppice::chains
