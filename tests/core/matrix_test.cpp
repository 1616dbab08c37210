#include "coppice/core/matrix.h"

#include <array>

#include <gtest/gtest.h>

namespace coppice {
namespace {

Matrix<float> numbered(std::size_t rows, std::size_t cols) {
  Matrix<float> matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) matrix(i, j) = static_cast<float>(100 * i + j);
  }
  return matrix;
}

TEST(Matrix, AddedRowsAndColumnsAreZeroAndLeaveTheRestAlone) {
  Matrix<float> matrix = numbered(3, 15);
  for (int round = 0; round < 40; ++round) {
    matrix.add_rows(1);
    matrix.add_cols(2);
  }
  ASSERT_EQ(matrix.rows(), 43U);
  ASSERT_EQ(matrix.cols(), 95U);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.cols(); ++j) {
      const float expected = i < 3 && j < 15 ? static_cast<float>(100 * i + j) : 0.0F;
      ASSERT_EQ(matrix(i, j), expected) << i << ',' << j;
    }
  }
}

TEST(Matrix, RowsThatComeBackAfterRemovalAreZero) {
  Matrix<float> matrix = numbered(4, 4);
  matrix.keep_rows(std::array<std::size_t, 2>{1, 3});
  matrix.keep_cols(std::array<std::size_t, 3>{0, 2, 3});
  matrix.add_rows(2);
  matrix.add_cols(1);
  EXPECT_EQ(matrix(0, 1), 102.0F);
  EXPECT_EQ(matrix(1, 2), 303.0F);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(matrix(2, j), 0.0F);
  EXPECT_EQ(matrix(0, 3), 0.0F);
}

TEST(Matrix, AddingOneUnitAtATimeRarelyMovesMemory) {
  Matrix<float> matrix(100, 100);
  int moves = 0;
  for (int i = 0; i < 400; ++i) {
    const float* before = matrix[0];
    matrix.add_rows(1);
    matrix.add_cols(1);
    moves += matrix[0] != before ? 1 : 0;
  }
  EXPECT_LT(moves, 30);
}

TEST(Matrix, PackedRowsFollowEachOther) {
  Matrix<float> matrix = Matrix<float>::packed(3, 2);
  EXPECT_EQ(matrix.stride(), 2U);
  for (std::size_t i = 0; i < 3; ++i) matrix(i, 1) = static_cast<float>(i);
  matrix.add_cols(1);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(matrix(i, 1), static_cast<float>(i));
}

TEST(Matrix, RowsStartOnCacheLines) {
  const Matrix<float> matrix(3, 1024);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix[i]) % 64, 0U);
  EXPECT_NE(matrix.stride() % 1024, 0U);
}

}  // namespace
}  // namespace coppice
