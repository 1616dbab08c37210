#pragma once

#include <algorithm>
#include <limits>

namespace coppice {

/// From where to where levels go.
struct LevelRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void take(const LevelRange& other) {
    take(other.low);
    take(other.high);
  }
  /// What one of so many levels is worth; of what never varies, anything.
  double step(double levels) const { return high > low ? (high - low) / levels : 1; }
};

}  // namespace coppice
