#include "coppice/training/cuda/layer_copy.h"

#include <vector>

namespace coppice::cuda {

namespace {

// What a layer has here and on the host, pair by pair; pairs that are not kept are left out.

/// Matrices of weights and of numbers per weight.
template <class L, class N, class F>
void for_matrices(const LayerCopy& copy, L& layer, N& numbers, const F& f) {
  f(copy.weights, layer.weights);
  if (copy.mean.size() > 0) f(copy.mean, numbers.mean);
  if (copy.square.size() > 0) f(copy.square, numbers.square);
}

/// Numbers per unit.
template <class N, class F>
void for_numbers(const LayerCopy& copy, N& numbers, const F& f) {
  f(copy.average, numbers.average);
  f(copy.filled, numbers.capacity);
  if (copy.mean_filled.size() > 0) f(copy.mean_filled, numbers.mean_capacity);
}

/// Free variances and means, and numbers about them.
template <class L, class N, class F>
void for_affine(const LayerCopy& copy, L& layer, N& numbers, const F& f) {
  if (copy.affine.size() > 0) f(copy.affine, layer.affine);
  if (copy.affine_mean.size() > 0) f(copy.affine_mean, numbers.affine_mean);
  if (copy.affine_square.size() > 0) f(copy.affine_square, numbers.affine_square);
}

/// Rows on the GPU lie `stride` numbers apart.
void put_matrix(const Matrix<float>& from, float* to, std::size_t stride, const Stream& stream) {
  const View<const float> rows = from.view();
  copy_rows(to, stride * sizeof(float), rows.data, rows.stride * sizeof(float), rows.cols * sizeof(float),
            rows.rows, stream);
}

void get_matrix(const float* from, std::size_t stride, std::size_t rows, std::size_t cols, Matrix<float>& to,
                const Stream& stream) {
  to = Matrix<float>(rows, cols);
  const View<float> view = to.view();
  copy_rows(view.data, view.stride * sizeof(float), from, stride * sizeof(float), cols * sizeof(float), rows,
            stream);
}

template <class T>
Array<T> array_of(bool kept, std::size_t size) {
  return kept ? Array<T>(size) : Array<T>();
}

}  // namespace

NetMemory memory_for(OptimizerKind optimizer, Norm norm, double kinks) {
  const bool squares = optimizer == OptimizerKind::rmsprop || optimizer == OptimizerKind::adam;
  const bool means = optimizer != OptimizerKind::adarad && optimizer != OptimizerKind::sgd &&
                     optimizer != OptimizerKind::rmsprop;
  return {.means = means, .squares = squares, .affine = norm == Norm::batchnorm_affine, .kinks = kinks > 0};
}

LayerCopy LayerCopy::make(std::size_t nets, const Strides& strides, bool hidden, const NetMemory& memory) {
  const std::size_t units = nets * strides.units;
  const bool affine = memory.affine && hidden;
  return {.weights = Array<float>(units * strides.row),
          .mean = array_of<float>(memory.means, units * strides.row),
          .square = array_of<float>(memory.squares, units * strides.row),
          .average = Array<double>(units),
          .filled = Array<double>(units),
          .mean_filled = array_of<double>(memory.means, units),
          .affine = array_of<float>(affine, 2 * units),
          .affine_mean = array_of<float>(affine && memory.means, 2 * units),
          .affine_square = array_of<float>(affine && memory.squares, 2 * units),
          .kinks = array_of<float>(memory.kinks && hidden, units)};
}

void LayerCopy::put(std::size_t net, const Strides& strides, const Layer<float>& layer,
                    const Numbers& numbers, const Stream& stream) const {
  for_matrices(*this, layer, numbers, [&](const Array<float>& array, const Matrix<float>& matrix) {
    float* slice = array.data() + net * strides.units * strides.row;
    fill(slice, 0, strides.units * strides.row * sizeof(float), stream);
    put_matrix(matrix, slice, strides.row, stream);
  });
  for_numbers(*this, numbers, [&](const Array<double>& array, const std::vector<double>& values) {
    copy(array.data() + net * strides.units, values.data(), values.size() * sizeof(double), stream);
  });
  for_affine(*this, layer, numbers, [&](const Array<float>& array, const Matrix<float>& matrix) {
    put_matrix(matrix, array.data() + net * strides.units * 2, 2, stream);
  });
  if (kinks.size() > 0)
    copy(kinks.data() + net * strides.units, layer.kinks.data(), layer.kinks.size() * sizeof(float), stream);
}

void LayerCopy::get(std::size_t net, const Strides& strides, std::size_t inputs, Layer<float>& layer,
                    Numbers& numbers, const Stream& stream) const {
  const std::size_t units = layer.units.size();
  for_matrices(*this, layer, numbers, [&](const Array<float>& array, Matrix<float>& matrix) {
    get_matrix(array.data() + net * strides.units * strides.row, strides.row, units, inputs, matrix, stream);
  });
  for_numbers(*this, numbers, [&](const Array<double>& array, std::vector<double>& values) {
    values.resize(units);
    copy(values.data(), array.data() + net * strides.units, units * sizeof(double), stream);
  });
  for_affine(*this, layer, numbers, [&](const Array<float>& array, Matrix<float>& matrix) {
    get_matrix(array.data() + net * strides.units * 2, 2, units, 2, matrix, stream);
  });
  if (kinks.size() == 0) return;
  layer.kinks.resize(units);
  copy(layer.kinks.data(), kinks.data() + net * strides.units, units * sizeof(float), stream);
}

void LayerCopy::copy_from(const LayerCopy& other, std::size_t net, const Strides& strides,
                          const Stream& stream) const {
  const auto slice = [&]<class T>(Array<T> LayerCopy::*part, std::size_t size) {
    const Array<T>& to = this->*part;
    if (to.size() == 0) return;
    copy(to.data() + net * size, (other.*part).data() + net * size, size * sizeof(T), stream);
  };
  for (const auto part : {&LayerCopy::weights, &LayerCopy::mean, &LayerCopy::square}) {
    slice(part, strides.units * strides.row);
  }
  for (const auto part : {&LayerCopy::average, &LayerCopy::filled, &LayerCopy::mean_filled}) {
    slice(part, strides.units);
  }
  slice(&LayerCopy::kinks, strides.units);
  for (const auto part : {&LayerCopy::affine, &LayerCopy::affine_mean, &LayerCopy::affine_square}) {
    slice(part, 2 * strides.units);
  }
}

}  // namespace coppice::cuda
