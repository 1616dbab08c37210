#include "coppice/reproduce/logistic.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice::reproduce {

namespace {

constexpr int most_steps = 50;
constexpr double ridge = 1e-9;

double score(const std::vector<double>& weights, std::span<const float> inputs) {
  double sum = weights.back();
  for (std::size_t i = 0; i < inputs.size(); ++i) sum += weights[i] * static_cast<double>(inputs[i]);
  return sum;
}

/// Solves a symmetric positive system by elimination; `a` has one row per equation, the right side last.
std::vector<double> solve(std::vector<std::vector<double>> a) {
  const std::size_t n = a.size();
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t r = p + 1; r < n; ++r) {
      const double factor = a[r][p] / a[p][p];
      for (std::size_t c = p; c <= n; ++c) a[r][c] -= factor * a[p][c];
    }
  }
  std::vector<double> x(n);
  for (std::size_t r = n; r-- > 0;) {
    double sum = a[r][n];
    for (std::size_t c = r + 1; c < n; ++c) sum -= a[r][c] * x[c];
    x[r] = sum / a[r][r];
  }
  return x;
}

}  // namespace

std::vector<double> fit_logistic(const Dataset& data, std::span<const std::uint32_t> rows) {
  const std::size_t inputs = data.inputs.cols();
  const std::size_t n = inputs + 1;
  std::vector<double> weights(n);
  std::vector<double> x(n, 1.0);
  for (int step = 0; step < most_steps; ++step) {
    // Hessian, and the gradient as its right side.
    std::vector<std::vector<double>> system(n, std::vector<double>(n + 1));
    for (const std::uint32_t row : rows) {
      const std::span<const float> values = data.inputs.row(row);
      std::ranges::copy(values, x.begin());
      const double p = 1 / (1 + std::exp(-score(weights, values)));
      const double weight = p * (1 - p);
      const double slope = (data.labels[row] == 1 ? 1.0 : 0.0) - p;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) system[i][j] += weight * x[i] * x[j];
        system[i][n] += slope * x[i];
      }
    }
    const double count = static_cast<double>(rows.size());
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      system[i][i] += ridge * count;
      system[i][n] -= ridge * count * weights[i];
      for (std::size_t j = i + 1; j < n; ++j) system[i][j] = system[j][i];
      largest = std::max(largest, std::abs(system[i][n]) / count);
    }
    if (largest < 1e-10) break;
    const std::vector<double> change = solve(std::move(system));
    for (std::size_t i = 0; i < n; ++i) weights[i] += change[i];
  }
  return weights;
}

double logistic_error(const std::vector<double>& weights, const Dataset& data,
                      std::span<const std::uint32_t> rows) {
  std::size_t wrong = 0;
  for (const std::uint32_t row : rows)
    if ((score(weights, data.inputs.row(row)) > 0) != (data.labels[row] == 1)) ++wrong;
  return static_cast<double>(wrong) / static_cast<double>(rows.size());
}

}  // namespace coppice::reproduce
