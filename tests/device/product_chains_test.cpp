#include "coppice/core/arithmetic.h"
#include "coppice/device/product.h"

#include "tests/device/portable_vectors.h"
#include "tests/device/random_matrix.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

using Product = void (*)(Op, View<const float>, Op, View<const float>, View<float>);

struct Shape {
  Op op_a = Op::plain;
  Op op_b = Op::plain;
  std::size_t rows = 1;
  std::size_t cols = 1;
  std::size_t inner = 1;
};

/// Both sides as parts of wider matrices.
struct Sides {
  explicit Sides(const Shape& of)
      : shape(of),
        wide_a(of.op_a == Op::plain ? random_matrix<float>(of.rows, of.inner + 5, 1)
                                    : random_matrix<float>(of.inner, of.rows + 5, 1)),
        wide_b(of.op_b == Op::plain ? random_matrix<float>(of.inner, of.cols + 3, 2)
                                    : random_matrix<float>(of.cols, of.inner + 3, 2)) {}
  View<const float> a() const {
    return wide_a.view().columns(2, shape.op_a == Op::plain ? shape.inner : shape.rows);
  }
  View<const float> b() const {
    return wide_b.view().columns(1, shape.op_b == Op::plain ? shape.cols : shape.inner);
  }
  float a(std::size_t i, std::size_t k) const { return shape.op_a == Op::plain ? a()(i, k) : a()(k, i); }
  float b(std::size_t k, std::size_t j) const { return shape.op_b == Op::plain ? b()(k, j) : b()(j, k); }

  Shape shape;
  Matrix<float> wide_a;
  Matrix<float> wide_b;
};

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// By every width of vectors: element by element what `expected(i, j)` says, to the bit, and nothing else is written.
template <class Expected>
void check_everywhere(Product product, const Sides& sides, const Expected& expected) {
  const Shape& shape = sides.shape;
  Matrix<float> right(shape.rows, shape.cols);
  for (std::size_t i = 0; i < shape.rows; ++i) {
    for (std::size_t j = 0; j < shape.cols; ++j) right(i, j) = expected(i, j);
  }
  for (const Vectors vectors : test::all_vectors()) {
    const test::LimitedVectors limited(vectors);
    Matrix<float> wide(shape.rows + 2, shape.cols + 6);
    for (std::size_t i = 0; i < wide.rows(); ++i) std::ranges::fill(wide.row(i), -7.0F);
    const View<float> c = wide.view().block(1, shape.rows).columns(3, shape.cols);
    product(shape.op_a, sides.a(), shape.op_b, sides.b(), c);
    for (std::size_t i = 0; i < wide.rows(); ++i) {
      for (std::size_t j = 0; j < wide.cols(); ++j) {
        const bool inside = i >= 1 && i <= shape.rows && j >= 3 && j < shape.cols + 3;
        ASSERT_TRUE(same_bits(wide(i, j), inside ? right(i - 1, j - 3) : -7.0F))
            << "vectors " << static_cast<int>(vectors) << ", " << shape.rows << 'x' << shape.cols << 'x'
            << shape.inner << " at " << i << ',' << j;
      }
    }
  }
}

void check_chains(const Shape& shape) {
  const Sides sides(shape);
  check_everywhere(product_of_chains, sides, [&](std::size_t i, std::size_t j) {
    float sum = 0;
    for (std::size_t k = 0; k < shape.inner; ++k) sum = std::fma(sides.a(i, k), sides.b(k, j), sum);
    return sum;
  });
}

/// To bf16, halves to even, as a float.
float rounded(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0x7FFFU + (bits >> 16U & 1U)) & 0xFFFF0000U);
}

void check_bf16_chains(const Shape& shape) {
  const Sides sides(shape);
  check_everywhere(product_bf16_of_chains, sides, [&](std::size_t i, std::size_t j) {
    float sum = 0;
    for (std::size_t k = 0; k < shape.inner; k += 2) {
      for (const std::size_t q : {k + 1, k}) {
        if (q < shape.inner) sum = std::fma(rounded(sides.a(i, q)), rounded(sides.b(q, j)), sum);
      }
    }
    return sum;
  });
}

template <class Check>
void for_layouts(std::size_t rows, std::size_t cols, std::size_t inner, const Check& check) {
  for (const Op op_a : {Op::plain, Op::transposed}) {
    for (const Op op_b : {Op::plain, Op::transposed})
      check({.op_a = op_a, .op_b = op_b, .rows = rows, .cols = cols, .inner = inner});
  }
}

TEST(ProductChains, AreOneChainPerElementWhateverTheVectors) {
  // around the 6 and 12 rows, 8, 16 and 32 columns and squares of 8 that are computed together
  for (const std::size_t rows : {1U, 5U, 6U, 7U, 11U, 12U, 13U, 25U}) {
    for (const std::size_t cols : {1U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 65U}) {
      for (const std::size_t inner : {1U, 2U, 7U, 8U, 9U, 24U}) for_layouts(rows, cols, inner, check_chains);
    }
  }
}

TEST(ProductChains, OfAnyShape) {
  EXPECT_TRUE(rc::check("chains of any shape and layout", [] {
    const auto size = [](std::size_t most) { return *rc::gen::inRange<std::size_t>(1, most); };
    const std::size_t rows = size(30);
    const std::size_t cols = size(80);
    const std::size_t inner = size(100);
    for_layouts(rows, cols, inner, check_chains);
    for_layouts(rows, cols, inner, check_bf16_chains);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

TEST(ProductChains, AreNearTheExactProduct) {
  const Sides sides({.op_b = Op::transposed, .rows = 30, .cols = 70, .inner = 1000});
  Matrix<float> c(30, 70);
  product_of_chains(Op::plain, sides.a(), Op::transposed, sides.b(), c);
  for (std::size_t i = 0; i < c.rows(); ++i) {
    for (std::size_t j = 0; j < c.cols(); ++j) {
      double expected = 0;
      double size = 0;
      for (std::size_t k = 0; k < 1000; ++k) {
        const double term = static_cast<double>(sides.a(i, k)) * sides.b(k, j);
        expected += term;
        size += std::abs(term);
      }
      ASSERT_NEAR(static_cast<double>(c(i, j)), expected, 2e-6 * size);
    }
  }
}

TEST(ProductChains, OfTinyNumbersInBf16AreTheSameWhateverTheVectors) {
  Sides sides({.rows = 13, .cols = 40, .inner = 31});
  for (std::size_t i = 0; i < 13; ++i) {
    for (float& value : sides.wide_a.row(i)) value *= 1e-20F;
  }
  for (std::size_t k = 0; k < 31; ++k) {
    for (float& value : sides.wide_b.row(k)) value *= k % 3 == 0 ? 1e-25F : 1e-18F;
  }
  Matrix<float> first(13, 40);
  {
    const test::LimitedVectors limited(Vectors::plain);
    product_bf16_of_chains(Op::plain, sides.a(), Op::plain, sides.b(), first);
  }
  check_everywhere(product_bf16_of_chains, sides, [&](std::size_t i, std::size_t j) { return first(i, j); });
}

TEST(ProductChains, PassNumbersThatAreNotFiniteOn) {
  Matrix<float> a = random_matrix<float>(5, 9, 1);
  const Matrix<float> b = random_matrix<float>(9, 4, 2);
  a(2, 3) = std::numeric_limits<float>::quiet_NaN();
  a(3, 3) = std::numeric_limits<float>::infinity();
  for (const Product product : {&product_of_chains, &product_bf16_of_chains}) {
    for (const Vectors vectors : test::all_vectors()) {
      const test::LimitedVectors limited(vectors);
      Matrix<float> c(5, 4);
      product(Op::plain, std::as_const(a).view(), Op::plain, b.view(), c);
      for (std::size_t j = 0; j < 4; ++j) {
        EXPECT_TRUE(std::isnan(c(2, j)));
        EXPECT_TRUE(std::isinf(c(3, j)));
        EXPECT_TRUE(std::isfinite(c(4, j)));
      }
    }
  }
}

TEST(ProductChains, AreWhatAThreadThatComputesPortablyGets) {
  const Sides sides({.rows = 20, .cols = 50, .inner = 400});
  Matrix<float> expected(20, 50);
  Matrix<float> c(20, 50);
  product_of_chains(Op::plain, sides.a(), Op::plain, sides.b(), expected);
  const WithArithmetic portably(Arithmetic::portable);
  product(Op::plain, sides.a(), Op::plain, sides.b(), c);
  EXPECT_EQ(c, expected);
  product_bf16_of_chains(Op::plain, sides.a(), Op::plain, sides.b(), expected);
  product(Precision::bf16, Op::plain, sides.a(), Op::plain, sides.b(), c);
  EXPECT_EQ(c, expected);
  EXPECT_EQ(product_kernels(), "portable arithmetic");
}

}  // namespace
}  // namespace coppice
