#include "coppice/report/scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace coppice {

namespace {

std::vector<double> log_ticks(const Scale& scale, std::size_t count) {
  // Few decades also show 2 and 5, then more between, so that there are always some labels.
  const double decades = std::log10(scale.high / scale.low);
  std::vector<double> digits{1};
  if (decades < static_cast<double>(count) / 2) digits = {1, 2, 5};
  if (decades < 1) digits = {1, 1.5, 2, 3, 4, 5, 7};
  if (decades < 0.5) digits = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
  std::vector<double> all;
  for (double power = std::floor(std::log10(scale.low)); power <= std::ceil(std::log10(scale.high));
       ++power) {
    for (const double digit : digits) {
      const double value = digit * std::pow(10, power);
      if (value >= scale.low && value <= scale.high) all.push_back(value);
    }
  }
  return all;
}

}  // namespace

double Scale::operator()(double value) const {
  const double share =
      log ? std::log(std::max(value, low * 1e-3) / low) / std::log(high / low) : (value - low) / (high - low);
  return from + share * (to - from);
}

std::vector<double> Scale::ticks(std::size_t count) const {
  if (log) return log_ticks(*this, count);
  const double rough = (high - low) / static_cast<double>(std::max<std::size_t>(count, 1));
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double digit : std::array<double, 3>{5, 2, 1}) {
    if (digit * power >= rough) step = digit * power;
  }
  std::vector<double> all;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); ++i) {
    all.push_back(i == 0 ? 0 : i * step);
    if (all.size() > 100) break;
  }
  return all;
}

Scale fitting(const std::vector<double>& values, bool zero, bool log) {
  double low = INFINITY;
  double high = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) return log ? Scale{.low = 1, .high = 10, .log = true} : Scale{};
  if (log) return {.low = low / 1.3, .high = high * 1.3, .log = true};
  if (zero) low = std::min(low, 0.0);
  const double room = high > low ? 0.06 * (high - low) : std::max(std::abs(high) * 0.1, 1e-9);
  return {.low = zero && low >= 0 ? 0 : low - room, .high = high + room};
}

}  // namespace coppice
