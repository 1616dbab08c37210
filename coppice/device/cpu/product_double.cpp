#include "coppice/device/product.h"

#include <algorithm>

namespace coppice {

void product(Op op_a, View<const double> a, Op op_b, View<const double> b, View<double> c) {
  const std::size_t inner = op_a == Op::plain ? a.cols : a.rows;
  for (std::size_t i = 0; i < c.rows; ++i) {
    std::fill_n(c[i], c.cols, 0.0);
    for (std::size_t k = 0; k < inner; ++k) {
      const double left = op_a == Op::plain ? a(i, k) : a(k, i);
      for (std::size_t j = 0; j < c.cols; ++j) c(i, j) += left * (op_b == Op::plain ? b(k, j) : b(j, k));
    }
  }
}

}  // namespace coppice
