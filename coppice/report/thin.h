#pragma once

#include <cstddef>
#include <vector>

namespace coppice {

/// A curve with finite values; x rises.
struct Curve {
  std::vector<double> x;
  std::vector<double> y;

  void add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
  }
};

/// At most `most` (and at least 4) points of the curve that keep its shape: first, last, lowest and highest, and from
/// each stretch between the point that spans the largest triangle with its neighbours.
Curve thinned(const Curve& curve, std::size_t most);

/// The same for curves over the same x, which stay so: each keeps the points that any of them needs, `most` at most.
std::vector<Curve> thinned_alike(const std::vector<Curve>& curves, std::size_t most);

/// `most` indices below `count` at even distances, or all.
std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most);

}  // namespace coppice
