#include "coppice/analysis/temperature.h"

#include "coppice/core/elementary.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

/// First and second derivative of the log-likelihood by b = 1/temperature, in which it is concave.
struct Slope {
  double first = 0;   ///< wanted less expected scores
  double second = 0;  ///< less the variance of scores
};

/// A row's share, its label smoothed.
Slope slope_of(std::span<const float> row, std::uint32_t label, double smoothing, double b) {
  const double top = *std::ranges::max_element(row);
  double total = 0;
  double first = 0;
  double second = 0;
  double mean = 0;
  for (const float score : row) {
    const double below = score - top;  // small numbers, so that the variance does not cancel out
    const double weight = elementary::exp(b * below);
    total += weight;
    first += weight * below;
    second += weight * below * below;
    mean += below;
  }
  const double expected = first / total;
  const double wanted =
      (1 - smoothing) * (row[label] - top) + smoothing * mean / static_cast<double>(row.size());
  return {.first = wanted - expected, .second = expected * expected - second / total};
}

Slope slope_of(const Matrix<float>& scores, std::span<const std::uint32_t> labels,
               std::span<const float> weights, double b) {
  const double smoothing = 1.0 / (static_cast<double>(labels.size()) + 1);
  Slope sum;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::span<const float> row = scores.row(i);
    if (labels[i] >= row.size()) continue;
    const Slope own = slope_of(row, labels[i], smoothing, b);
    const double weight = weights.empty() ? 1.0 : weights[i];
    sum.first += weight * own.first;
    sum.second += weight * own.second;
  }
  return sum;
}

}  // namespace

double fit_temperature(const Matrix<float>& scores, std::span<const std::uint32_t> labels,
                       std::span<const float> weights) {
  // Newton's steps for log b between bounds that close in, halves of what is left where a step would leave them or
  // shrinks too slowly.
  constexpr double close = 1e-10;
  double low = elementary::log(1e-3);
  double high = elementary::log(1e3);
  double at = 0;
  double before = high - low;
  for (int i = 0; i < 100; ++i) {
    const double b = elementary::exp(at);
    const Slope slope = slope_of(scores, labels, weights, b);
    if (slope.first == 0) break;
    (slope.first > 0 ? low : high) = at;
    double step = -slope.first / (b * slope.second);
    const bool useful =
        at + step > low && at + step < high && std::abs(step) < before / 2;  // no if not a number
    if (!useful) step = (low + high) / 2 - at;
    before = std::abs(step);
    at += step;
    if (before < close) break;
  }
  return elementary::exp(-at);
}

}  // namespace coppice
