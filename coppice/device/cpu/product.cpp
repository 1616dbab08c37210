#include "coppice/device/product.h"

#include "coppice/core/arithmetic.h"

namespace coppice {

void product(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  computes_portably() ? product_of_chains(op_a, a, op_b, b, c) : product_of_library(op_a, a, op_b, b, c);
}

std::string product_kernels() {
  return computes_portably() ? "portable arithmetic" : library_kernels();
}

}  // namespace coppice
