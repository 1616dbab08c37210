#pragma once

#include <vector>

namespace coppice {

/// Median, lowest and highest of some numbers.
struct Spread {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// Not a number, all three, of none.
Spread spread_of(std::vector<double> values);

}  // namespace coppice
