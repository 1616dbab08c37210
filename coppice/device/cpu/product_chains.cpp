#include "coppice/device/cpu/product_chains.h"

#include "coppice/device/processor.h"

#include <vector>

namespace coppice {

void product_of_chains(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  const std::size_t inner = op_b == Op::plain ? b.rows : b.cols;
  thread_local std::vector<float, AlignedAllocator<float>> panel;
  if (panel.size() < inner * chains::widest_panel) panel.resize(inner * chains::widest_panel);
  const chains::Side left =
      op_a == Op::plain ? chains::Side{a.data, a.stride, 1} : chains::Side{a.data, 1, a.stride};
  switch (portable_vectors()) {
    case Vectors::avx512:
      return chains::multiply_avx512(left, op_b, b, c, panel.data());
    case Vectors::avx2:
      return chains::multiply_avx2(left, op_b, b, c, panel.data());
    case Vectors::plain:
      return chains::multiply_plainly(left, op_b, b, c);
  }
}

}  // namespace coppice
