#pragma once

#include "coppice/core/matrix.h"
#include "coppice/model/folding.h"

#include <cstddef>
#include <span>
#include <vector>

namespace coppice {

/// What each input of a net contributes to one of its outputs: integrated gradients, x_i times the mean of df/dx_i along
/// the straight line from the input 0 to x. They sum to f(x) - f(0).
///
/// Units with two slopes (relu, leaky-relu, abs) make f piecewise linear along the line: the points where units change
/// their slope are found one after the other, and the sum is exact. With tanh the integral is taken at 32 points, and what
/// is left over is spread over the inputs in proportion to what they have.
class Contributions {
 public:
  explicit Contributions(const FoldedNet& net);

  std::size_t inputs() const { return layers_.front().weights.cols(); }
  /// The output for the input 0.
  double at_zero(std::size_t output) const;
  /// One number per input.
  void of(std::span<const float> given, std::size_t output, std::span<double> into) const;

 private:
  struct DenseLayer {
    Matrix<double> weights;     ///< a row per unit
    Matrix<double> transposed;  ///< a row per unit below
    std::vector<double> bias;
  };
  class Line;

  std::vector<double> forward(std::vector<double> x) const;
  std::vector<double> slopes_at(std::span<const double> x, std::size_t output) const;
  std::vector<double> integrate(std::span<const double> x, std::size_t output) const;

  Activation activation_;
  std::vector<DenseLayer> layers_;
  std::vector<double> at_zero_;
};

}  // namespace coppice
