#include "coppice/core/arithmetic.h"
#include "coppice/device/cpu/multiply_bf16.h"
#include "coppice/device/product.h"

#include <utility>

namespace coppice {

#if COPPICE_BF16_KERNELS

namespace {

using Multiply = void (*)(const bf16::Left&, const bf16::Right&, View<float>);

/// Whether it does what it should: some machines promise instructions that they do not have.
bool works(Multiply multiply) {
  constexpr std::size_t rows = 45;
  constexpr std::size_t cols = 53;
  constexpr std::size_t inner = 77;
  Matrix<float> a(rows, inner);
  Matrix<float> b(inner, cols);
  for (std::size_t k = 0; k < inner; ++k) {
    for (std::size_t i = 0; i < rows; ++i) a(i, k) = static_cast<float>((i * 5 + k * 3) % 7) - 3;
    for (std::size_t j = 0; j < cols; ++j) b(k, j) = static_cast<float>((j * 2 + k * 11) % 9) - 4;
  }
  bf16::Left left;
  bf16::Right right;
  left.pack(Op::plain, std::as_const(a).view());
  right.pack(Op::plain, std::as_const(b).view());
  Matrix<float> c(rows, cols);
  multiply(left, right, c);
  Matrix<float> expected(rows, cols);  // small whole numbers: every way to compute them gives the same
  product(Op::plain, std::as_const(a).view(), Op::plain, std::as_const(b).view(), expected.view());
  return c == expected;
}

/// The fastest way that this processor has; none if it has none.
Multiply choose() {
  if (bf16::has_tiles() && works(bf16::multiply_by_tiles)) return bf16::multiply_by_tiles;
  if (bf16::has_vectors() && works(bf16::multiply_by_vectors)) return bf16::multiply_by_vectors;
  return nullptr;
}

Multiply chosen() {
  static const Multiply multiply = choose();
  return multiply;
}

}  // namespace

bool bf16_works() {
  return chosen() != nullptr;
}

void product_bf16(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  if (computes_portably()) return product_bf16_of_chains(op_a, a, op_b, b, c);
  const Multiply multiply = chosen();
  if (multiply == nullptr) return product(op_a, a, op_b, b, c);
  thread_local bf16::Left left;
  thread_local bf16::Right right;
  left.pack(op_a, a);
  right.pack(op_b, b);
  multiply(left, right, c);
}

#else

bool bf16_works() {
  return false;
}

void product_bf16(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c) {
  computes_portably() ? product_bf16_of_chains(op_a, a, op_b, b, c) : product(op_a, a, op_b, b, c);
}

#endif

std::string precision_warning(Precision precision) {
  if (precision != Precision::bf16 || bf16_works() || computes_portably()) return {};
  return "this processor has no bf16 instructions that are faster (AMX, or AVX512-BF16 of AMD): products are "
         "computed in fp32";
}

}  // namespace coppice
