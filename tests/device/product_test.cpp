#include "coppice/device/product.h"

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

template <class T>
double entry(Op op, View<const T> m, std::size_t i, std::size_t j) {
  return static_cast<double>(op == Op::plain ? m(i, j) : m(j, i));
}

/// op(a) op(b) into a block of a larger matrix full of NaN: the result is right and nothing else is touched.
template <class T>
void check_product(Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k, std::size_t margin,
                   double tolerance) {
  const Matrix<T> wide_a =
      random_matrix<T>(op_a == Op::plain ? m : k, (op_a == Op::plain ? k : m) + 2 * margin, m + n);
  const Matrix<T> wide_b =
      random_matrix<T>(op_b == Op::plain ? k : n, (op_b == Op::plain ? n : k) + margin, n + k + 1);
  const View<const T> a = wide_a.view().columns(margin, op_a == Op::plain ? k : m);
  const View<const T> b = wide_b.view().columns(0, op_b == Op::plain ? n : k);
  Matrix<T> wide_c(m + 2, n + 2 * margin);
  for (std::size_t i = 0; i < wide_c.rows(); ++i)
    std::ranges::fill(wide_c.row(i), std::numeric_limits<T>::quiet_NaN());
  const View<T> c = wide_c.view().block(1, m).columns(margin, n);
  product(op_a, a, op_b, b, c);
  for (std::size_t i = 0; i < wide_c.rows(); ++i) {
    for (std::size_t j = 0; j < wide_c.cols(); ++j) {
      const bool inside = i >= 1 && i <= m && j >= margin && j < margin + n;
      if (!inside) {
        ASSERT_TRUE(std::isnan(wide_c(i, j))) << "written outside of the result";
        continue;
      }
      double expected = 0;
      double size = 0;
      for (std::size_t q = 0; q < k; ++q) {
        const double term = entry(op_a, a, i - 1, q) * entry(op_b, b, q, j - margin);
        expected += term;
        size += std::abs(term);
      }
      ASSERT_NEAR(static_cast<double>(wide_c(i, j)), expected, tolerance * (size + 1e-30))
          << m << 'x' << n << 'x' << k << " at " << i << ',' << j;
    }
  }
}

void check_all(std::size_t m, std::size_t n, std::size_t k, std::size_t margin) {
  for (const Op op_a : {Op::plain, Op::transposed}) {
    for (const Op op_b : {Op::plain, Op::transposed}) {
      check_product<float>(op_a, op_b, m, n, k, margin, 1e-6 * (1 + std::sqrt(static_cast<double>(k)) / 4));
      check_product<double>(op_a, op_b, m, n, k, margin, 1e-14);
    }
  }
}

TEST(Product, OddShapes) {
  for (const std::size_t m : {1U, 2U, 31U, 33U}) {
    for (const std::size_t n : {1U, 3U, 17U, 65U}) {
      for (const std::size_t k : {1U, 5U, 16U, 127U}) check_all(m, n, k, 0);
    }
  }
}

TEST(Product, StridedViews) {
  EXPECT_TRUE(rc::check("a product of blocks equals plain loops", [] {
    const auto size = [](int most) { return static_cast<std::size_t>(*rc::gen::inRange(1, most)); };
    check_all(size(40), size(60), size(90), size(20));
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

TEST(Product, LargeEnoughForBlockedKernels) {
  check_all(100, 300, 784, 3);
}

TEST(Product, TheSameBitsEveryTime) {
  const Matrix<float> a = random_matrix<float>(32, 211, 1);
  const Matrix<float> b = random_matrix<float>(211, 97, 2);
  Matrix<float> first(32, 97);
  product(Op::plain, a, Op::plain, b, first);
  for (int round = 0; round < 20; ++round) {
    Matrix<float> again(32, 97);
    product(Op::plain, a, Op::plain, b, again);
    ASSERT_EQ(again, first);
  }
}

TEST(Product, NamesItsLibrary) {
  EXPECT_FALSE(product_library().empty());
}

/// The same number with the last 16 bits of its float rounded away, halves to even.
float rounded_to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0x7FFFU + (bits >> 16U & 1U)) & 0xFFFF0000U);
}

void round_all(Matrix<float>& m) {
  for (std::size_t i = 0; i < m.rows(); ++i) {
    for (float& value : m.row(i)) value = rounded_to_bf16(value);
  }
}

TEST(ProductBf16, IsTheProductOfRoundedNumbers) {
  if (!bf16_works()) GTEST_SKIP() << "this processor has no bf16 instructions";
  EXPECT_TRUE(rc::check("any shape, any layout, nothing written beside the result", [] {
    const auto size = [] { return *rc::gen::inRange<std::size_t>(1, 90); };
    const std::size_t m = size();
    const std::size_t n = size();
    const std::size_t k = size();
    const Op op_a = *rc::gen::element(Op::plain, Op::transposed);
    const Op op_b = *rc::gen::element(Op::plain, Op::transposed);
    Matrix<float> a = op_a == Op::plain ? random_matrix<float>(m, k, 1) : random_matrix<float>(k, m, 1);
    Matrix<float> b = op_b == Op::plain ? random_matrix<float>(k, n, 2) : random_matrix<float>(n, k, 2);
    Matrix<float> wide(m + 2, n + 6);
    const View<float> c = wide.view().block(1, m).columns(3, n);
    product_bf16(op_a, std::as_const(a).view(), op_b, std::as_const(b).view(), c);
    round_all(a);
    round_all(b);
    double margins = 0;
    for (std::size_t i = 0; i < wide.rows(); ++i) {
      for (std::size_t j = 0; j < wide.cols(); ++j) margins += std::abs(static_cast<double>(wide(i, j)));
    }
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double expected = 0;
        double size_of_terms = 0;
        for (std::size_t q = 0; q < k; ++q) {
          const double term = entry<float>(op_a, std::as_const(a).view(), i, q) *
                              entry<float>(op_b, std::as_const(b).view(), q, j);
          expected += term;
          size_of_terms += std::abs(term);
        }
        margins -= std::abs(static_cast<double>(c(i, j)));
        RC_ASSERT(std::abs(static_cast<double>(c(i, j)) - expected) <= 2e-6 * size_of_terms);
      }
    }
    RC_ASSERT(std::abs(margins) < 1e-6 * static_cast<double>(m * n * k));
  }));
}

TEST(ProductBf16, PassesNumbersThatAreNotFiniteOn) {
  Matrix<float> a = random_matrix<float>(5, 9, 1);
  const Matrix<float> b = random_matrix<float>(9, 4, 2);
  a(2, 3) = std::numeric_limits<float>::quiet_NaN();
  a(3, 3) = std::numeric_limits<float>::infinity();
  Matrix<float> c(5, 4);
  product_bf16(Op::plain, std::as_const(a).view(), Op::plain, b.view(), c);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_TRUE(std::isnan(c(2, j)));
    EXPECT_TRUE(std::isinf(c(3, j)));
    EXPECT_TRUE(std::isfinite(c(4, j)));
  }
}

}  // namespace
}  // namespace coppice
