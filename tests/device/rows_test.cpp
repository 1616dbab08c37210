#include "coppice/device/rows.h"

#include "tests/device/random_matrix.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

constexpr std::size_t widths[] = {1, 2, 15, 16, 17, 31, 33, 100, 257};

template <class T>
class Rows : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(Rows, Numbers);

TYPED_TEST(Rows, GatherTakesRowsInTheGivenOrderWithRepeats) {
  const Matrix<float> from = random_matrix<float>(9, 21, 1);
  const std::vector<std::uint32_t> rows{8, 0, 3, 3, 7};
  Matrix<TypeParam> to(5, 21);
  gather_rows<TypeParam>(from, rows, to);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < 21; ++j) ASSERT_EQ(to(i, j), static_cast<TypeParam>(from(rows[i], j)));
  }
}

TYPED_TEST(Rows, DotsEqualPlainSums) {
  for (const std::size_t width : widths) {
    const Matrix<TypeParam> w = random_matrix<TypeParam>(5, width, 1);
    const Matrix<TypeParam> g = random_matrix<TypeParam>(5, width, 2, 1e-3);
    std::vector<RowDots> dots(5, RowDots{1e9, 1e9, 1e9});
    row_dots<TypeParam>(w.view(), g.view(), std::span(dots));
    for (std::size_t j = 0; j < 5; ++j) {
      double gg = 0;
      double gw = 0;
      double ww = 0;
      for (std::size_t i = 0; i < width; ++i) {
        gg += static_cast<double>(g(j, i)) * static_cast<double>(g(j, i));
        gw += static_cast<double>(g(j, i)) * static_cast<double>(w(j, i));
        ww += static_cast<double>(w(j, i)) * static_cast<double>(w(j, i));
      }
      EXPECT_NEAR(dots[j].gg, gg, 1e-13 * gg) << width;
      EXPECT_NEAR(dots[j].gw, gw, 1e-13 * std::sqrt(gg * ww)) << width;
      EXPECT_NEAR(dots[j].ww, ww, 1e-13 * ww) << width;
    }
  }
}

/// The dot products cancel where g is nearly radial: sums in float would lose |phi| altogether.
TEST(RowDotsInDouble, KeepASmallAngularPart) {
  Matrix<float> w(1, 1000);
  Matrix<float> g(1, 1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    w(0, i) = 1;
    g(0, i) = 1 + (i % 2 == 0 ? 1.0F : -1.0F) * 0x1p-20F;
  }
  std::vector<RowDots> dots(1);
  row_dots<float>(std::as_const(w).view(), std::as_const(g).view(), std::span(dots));
  const double phi = dots[0].gg - dots[0].gw * dots[0].gw / dots[0].ww;
  EXPECT_NEAR(phi, 1000 * 0x1p-40, 1e-3 * 1000 * 0x1p-40);
}

TYPED_TEST(Rows, CombineUsesEachRowsNumbers) {
  for (const std::size_t width : widths) {
    Matrix<TypeParam> w = random_matrix<TypeParam>(4, width, 3);
    const Matrix<TypeParam> before = w;
    const Matrix<TypeParam> g = random_matrix<TypeParam>(4, width, 4);
    const std::vector<RowScale> scale{{1, 0}, {0, 0}, {0.5, -2}, {-1.25, 3}};
    combine_rows<TypeParam>(w.view(), g.view(), scale);
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t i = 0; i < width; ++i) {
        const double expected =
            scale[j].a * static_cast<double>(before(j, i)) + scale[j].b * static_cast<double>(g(j, i));
        const double size = std::abs(scale[j].a * static_cast<double>(before(j, i))) +
                            std::abs(scale[j].b * static_cast<double>(g(j, i)));
        ASSERT_NEAR(static_cast<double>(w(j, i)), expected, (sizeof(TypeParam) == 4 ? 1e-6 : 1e-15) * size);
      }
    }
  }
}

TYPED_TEST(Rows, Lengths) {
  for (const std::size_t width : widths) {
    const Matrix<TypeParam> w = random_matrix<TypeParam>(3, width, 5);
    std::vector<double> lengths(3);
    row_lengths<TypeParam>(w.view(), std::span(lengths));
    for (std::size_t j = 0; j < 3; ++j) {
      double square = 0;
      for (const TypeParam value : w.row(j))
        square += static_cast<double>(value) * static_cast<double>(value);
      EXPECT_NEAR(lengths[j], std::sqrt(square), 1e-13 * std::sqrt(square));
    }
  }
}

TYPED_TEST(Rows, LengthsOfColumns) {
  const Matrix<TypeParam> w = random_matrix<TypeParam>(4, 19, 6);
  const std::vector<double> factors{1, 0.5, -2, 3};
  std::vector<double> once(19, 7);  // what was there before does not count
  std::vector<double> weighted(19, 7);
  column_lengths<TypeParam>(w.view(), std::span(once));
  column_lengths<TypeParam>(w.view(), std::span(weighted), factors);
  for (std::size_t i = 0; i < 19; ++i) {
    double square = 0;
    double with_factors = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const double value = static_cast<double>(w(j, i));
      square += value * value;
      with_factors += factors[j] * factors[j] * value * value;
    }
    EXPECT_NEAR(once[i], std::sqrt(square), 1e-13 * once[i]);
    EXPECT_NEAR(weighted[i], std::sqrt(with_factors), 1e-13 * weighted[i]);
  }
}

}  // namespace
}  // namespace coppice
