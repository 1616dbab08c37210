#include "coppice/exports/weight_rounding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

/// Of the mean variance of the levels: few rows say little about how weights can stand in for each other.
constexpr double hold_share = 0.1;
constexpr int most_passes = 20;

/// Sums of products of levels, exact. Zeros, of which images and categories are full, cost nothing.
Matrix<std::int64_t> products_of(const Matrix<std::uint16_t>& levels) {
  Matrix<std::int64_t> sums(levels.cols(), levels.cols());
  std::vector<std::size_t> used;
  for (std::size_t row = 0; row < levels.rows(); ++row) {
    const std::span<const std::uint16_t> x = levels.row(row);
    used.clear();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] != 0) used.push_back(i);
    }
    for (const std::size_t i : used) {
      const std::int64_t level = x[i];
      const std::span<std::int64_t> to = sums.row(i);
      for (const std::size_t k : used) to[k] += level * x[k];
    }
  }
  return sums;
}

}  // namespace

WeightRounding::WeightRounding(const Matrix<std::uint16_t>& levels)
    : levels_(levels), covariance_(levels.cols(), levels.cols()) {
  const Matrix<std::int64_t> products = products_of(levels);
  const auto rows = static_cast<double>(levels.rows());
  std::vector<double> mean(levels.cols());
  for (std::size_t row = 0; row < levels.rows(); ++row) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += levels(row, i) / rows;
  }
  for (std::size_t i = 0; i < mean.size(); ++i) {
    for (std::size_t k = 0; k < mean.size(); ++k)
      covariance_(i, k) = static_cast<double>(products(i, k)) / rows - mean[i] * mean[k];
    hold_ += hold_share * std::max(0.0, covariance_(i, i)) / static_cast<double>(mean.size());
  }
}

std::vector<double> WeightRounding::pulls(std::span<const double> wanted) const {
  const auto rows = static_cast<double>(levels_.rows());
  const double mean = std::accumulate(wanted.begin(), wanted.end(), 0.0) / rows;
  std::vector<double> pulls(levels_.cols());
  for (std::size_t row = 0; row < levels_.rows(); ++row) {
    const double beyond = (wanted[row] - mean) / rows;
    for (std::size_t i = 0; i < pulls.size(); ++i) pulls[i] += beyond * levels_(row, i);
  }
  return pulls;
}

// Least w' (C + hold) w / 2 - (pulls + hold * real)' w over whole w, one weight after another.
std::vector<std::int8_t> WeightRounding::round(std::span<const double> weights,
                                               std::span<const double> wanted) const {
  const auto whole = [](double weight) { return std::clamp(std::round(weight), -top_weight, top_weight); };
  std::vector<double> rounded(weights.size());
  std::ranges::transform(weights, rounded.begin(), whole);
  std::vector<double> slope = pulls(wanted);
  for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = hold_ * (rounded[i] - weights[i]) - slope[i];
  const auto add = [&](std::size_t k, double change) {
    const std::span<const double> row = covariance_.row(k);
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] += row[i] * change;
  };
  for (std::size_t k = 0; k < rounded.size(); ++k) add(k, rounded[k]);
  bool changed = hold_ > 0;  // else nothing varies
  for (int pass = 0; changed && pass < most_passes; ++pass) {
    changed = false;
    for (std::size_t i = 0; i < rounded.size(); ++i) {
      const double better = whole(rounded[i] - slope[i] / (covariance_(i, i) + hold_));
      const double change = better - rounded[i];
      if (change == 0) continue;
      add(i, change);
      slope[i] += hold_ * change;
      rounded[i] = better;
      changed = true;
    }
  }
  std::vector<std::int8_t> made(rounded.size());
  std::ranges::transform(rounded, made.begin(),
                         [](double weight) { return static_cast<std::int8_t>(weight); });
  return made;
}

}  // namespace coppice
