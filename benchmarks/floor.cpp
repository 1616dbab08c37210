#include "benchmarks/floor.h"

#include <utility>

namespace coppice {

namespace {

/// Zeros would be as slow, but a matrix that nobody wrote lies in one shared page of zeros.
Matrix<float> filled(std::size_t rows, std::size_t cols) {
  Matrix<float> matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) matrix(i, j) = static_cast<float>((i + 3 * j) % 17) - 8;
  }
  return matrix;
}

}  // namespace

Floor::Floor(ThreadPool& pool, const Workload& work) : pool_(&pool) {
  const std::vector<std::size_t>& widths = work.widths;
  for (std::size_t l = 0; l < work.layers(); ++l) {  // z = W x
    add(Op::plain, l == 0 ? Op::transposed : Op::plain, widths[l + 1], work.batch, widths[l]);
  }
  for (std::size_t l = work.layers(); l-- > 0;) {
    add(Op::plain, l == 0 ? Op::plain : Op::transposed, widths[l + 1], widths[l], work.batch);  // dE/dW
    if (l > 0) add(Op::transposed, Op::plain, widths[l], work.batch, widths[l + 1]);            // dE/dx
  }
}

void Floor::add(Op op_a, Op op_b, std::size_t rows, std::size_t cols, std::size_t inner) {
  products_.push_back({op_a, op_b, op_a == Op::plain ? filled(rows, inner) : filled(inner, rows),
                       op_b == Op::plain ? filled(inner, cols) : filled(cols, inner), filled(rows, cols)});
}

void Floor::step() {
  const std::size_t shares = pool_->threads();
  for (Product& p : products_) {
    pool_->parallel_for(shares, [&](std::size_t share) {
      const std::size_t first = share * p.c.rows() / shares;
      const std::size_t count = (share + 1) * p.c.rows() / shares - first;
      const View<const float> a = std::as_const(p.a).view();
      product(p.op_a, p.op_a == Op::plain ? a.block(first, count) : a.columns(first, count), p.op_b,
              std::as_const(p.b).view(), p.c.view().block(first, count));
    });
  }
}

}  // namespace coppice
