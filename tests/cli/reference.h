#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coppice::test {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

double dot(const Vector& a, const Vector& b);

/// AdaRad in plain double, as docs/method.md has it: layers[l][unit] is a fan-in.
struct Reference {
  std::vector<Rows> layers;
  std::string activation = "relu";
  bool output_capnorm = true;
  Rows inputs;              ///< one per row of data
  std::vector<int> labels;  ///< classification
  Vector targets;           ///< regression, standardised
  Vector offset;            ///< log class frequencies
  double lambda = 1e-3;
  double angular = 30;
  double lifetime = 50;

  // per layer: [unit][row]
  std::vector<Rows> y, x;
  std::vector<Vector> mean, divisor, sigma;
  std::vector<Vector> average, capacity;
  double largest_average = 0;
  double largest_capacity = 0;

  std::size_t rows() const { return inputs.size(); }
  bool capped(std::size_t l) const { return output_capnorm || l + 1 < layers.size(); }

  void forward();
  /// dE/dscore times 1/n for every output and row.
  Rows loss_gradient() const;
  std::vector<Rows> backward() const;
  /// One full-batch step (B = n), phi formed and rotated by hand. No unit may vanish.
  void step();
};

}  // namespace coppice::test
