#include "coppice/core/spread.h"

#include <algorithm>
#include <cmath>

namespace coppice {

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {std::nan(""), std::nan(""), std::nan("")};
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {.median = median, .low = values.front(), .high = values.back()};
}

}  // namespace coppice
