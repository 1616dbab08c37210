#include "coppice/exports/telling_rows.h"

#include "coppice/device/activation.h"
#include "coppice/device/product.h"

#include <algorithm>
#include <limits>
#include <span>

namespace coppice {

namespace {

constexpr std::size_t block_rows = 1024;  // that are looked at together

/// The rows with the least and the largest value of each column.
class Ends {
 public:
  explicit Ends(std::size_t columns) : least_(columns), largest_(columns) {}

  void take(std::size_t row, std::span<const float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] < least_[i].value) least_[i] = {row, values[i]};
      if (-values[i] < largest_[i].value) largest_[i] = {row, -values[i]};
    }
  }
  void tell(std::vector<std::size_t>& rows) const {
    for (const auto* ends : {&least_, &largest_}) {
      for (const End& end : *ends) rows.push_back(end.row);
    }
  }

 private:
  struct End {
    std::size_t row = 0;
    float value = std::numeric_limits<float>::infinity();
  };
  std::vector<End> least_;
  std::vector<End> largest_;
};

/// What the units of a layer say about rows.
Matrix<float> said(const DenseLayer& layer, const Matrix<float>& inputs) {
  Matrix<float> y(inputs.rows(), layer.units());
  product(Op::plain, inputs, Op::transposed, layer.weights, y);
  with_activation(layer.activation, [&]<Activation A>() {
    for (std::size_t row = 0; row < y.rows(); ++row) {
      for (std::size_t j = 0; j < y.cols(); ++j) y(row, j) = activate<A>(y(row, j) + layer.bias[j]);
    }
  });
  return y;
}

/// The ends of the net's inputs and of each of its hidden layers.
std::vector<Ends> ends_of(const LoweredNet& net, const Matrix<float>& inputs) {
  std::vector<Ends> ends{Ends(net.inputs.size())};
  for (std::size_t l = 0; l + 1 < net.layers.size(); ++l) ends.emplace_back(net.layers[l].units());
  for (std::size_t first = 0; first < inputs.rows(); first += block_rows) {
    Matrix<float> x(std::min(block_rows, inputs.rows() - first), net.inputs.size());
    for (std::size_t row = 0; row < x.rows(); ++row) {
      for (std::size_t i = 0; i < x.cols(); ++i) x(row, i) = inputs(first + row, net.inputs[i]);
    }
    for (std::size_t l = 0; l < ends.size(); ++l) {
      if (l > 0) x = said(net.layers[l - 1], x);
      for (std::size_t row = 0; row < x.rows(); ++row) ends[l].take(first + row, x.row(row));
    }
  }
  return ends;
}

}  // namespace

std::vector<std::size_t> telling_rows(const LoweredModel& model, const Matrix<float>& inputs,
                                      std::size_t count) {
  const std::size_t evenly = std::min(inputs.rows(), count);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < evenly; ++i) rows.push_back(i * inputs.rows() / evenly);
  if (evenly == inputs.rows()) return rows;
  for (const LoweredNet& net : model.nets) {
    for (const Ends& ends : ends_of(net, inputs)) ends.tell(rows);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace coppice
