#pragma once

#include "coppice/core/matrix.h"
#include "coppice/core/random.h"

#include <cstddef>
#include <cstdint>

namespace coppice {

/// Normal numbers of the given deviation, the same for the same seed.
template <class T>
Matrix<T> random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed, double deviation = 1) {
  Matrix<T> matrix(rows, cols);
  Random random(seed, Purpose::generator, 77);
  for (std::size_t i = 0; i < rows; ++i) {
    for (T& value : matrix.row(i)) value = static_cast<T>(deviation * random.normal());
  }
  return matrix;
}

template <class To, class From>
Matrix<To> converted(const Matrix<From>& from) {
  Matrix<To> to(from.rows(), from.cols());
  for (std::size_t i = 0; i < from.rows(); ++i) {
    for (std::size_t j = 0; j < from.cols(); ++j) to(i, j) = static_cast<To>(from(i, j));
  }
  return to;
}

}  // namespace coppice
