#include "cli/terminal/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace coppice::cli {

namespace {

constexpr double blank = std::numeric_limits<double>::quiet_NaN();

std::vector<double> thinned(std::span<const double> values, std::size_t width) {
  const std::size_t count = std::min(values.size(), width);
  std::vector<double> means;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    std::size_t finite = 0;
    for (std::size_t k = i * values.size() / count; k < (i + 1) * values.size() / count; ++k) {
      if (!std::isfinite(values[k])) continue;
      sum += values[k];
      ++finite;
    }
    means.push_back(finite > 0 ? sum / static_cast<double>(finite) : blank);
  }
  return means;
}

/// Logarithms, those of values that have none a little below the least.
void take_logarithms(std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (value > 0) least = std::min(least, value);
  }
  for (double& value : values) {
    if (!std::isnan(value)) value = std::isinf(least) ? 0 : std::log(value > 0 ? value : least / 2);
  }
}

}  // namespace

std::string sparkline(std::span<const double> values, std::size_t width, SparkScale scale) {
  constexpr std::array<std::string_view, 8> heights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> points = thinned(values, width);
  if (scale == SparkScale::logarithmic) take_logarithms(points);
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for (const double point : points) {
    if (std::isnan(point)) continue;
    least = std::min(least, point);
    greatest = std::max(greatest, point);
  }
  std::string line;
  for (const double point : points) {
    if (std::isnan(point)) {
      line += ' ';
      continue;
    }
    const double share = greatest > least ? (point - least) / (greatest - least) : 0;
    line += heights.at(static_cast<std::size_t>(std::lround(share * 7)));
  }
  return line;
}

}  // namespace coppice::cli
