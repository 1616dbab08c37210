#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace coppice {

/// Values to places: linear, or by their logarithm (then `low` is positive).
struct Scale {
  double low = 0;
  double high = 1;
  bool log = false;
  double from = 0;  ///< place of `low`
  double to = 1;    ///< place of `high`

  double operator()(double value) const;
  /// Round values inside, about `count` of them.
  std::vector<double> ticks(std::size_t count) const;
};

/// A scale with a little room around the finite values; never empty. `zero`: from zero on.
Scale fitting(const std::vector<double>& values, bool zero = false, bool log = false);

using NumberText = std::function<std::string(double)>;

}  // namespace coppice
