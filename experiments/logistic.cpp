#include "experiments/logistic.h"

#include "coppice/core/text.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

namespace coppice::experiments {

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

Points points_of(const Table& table) {
  const std::vector<std::string> names = table.names();
  const std::size_t inputs = names.size() - 1;
  Points points{.inputs = Matrix<float>::packed(table.rows(), inputs), .labels = {}};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < inputs; ++i)
      points.inputs(row, i) = static_cast<float>(parse_number(table.text(names[i], row)).value_or(0));
    points.labels.push_back(table.text(names.back(), row) == "1");
  }
  return points;
}

std::vector<double> fit_logistic(const Points& points) {
  const std::size_t inputs = points.inputs.cols();
  const std::size_t n = inputs + 1;
  const auto count = static_cast<double>(points.labels.size());
  std::vector<double> weights(n);
  std::vector<double> x(n, 1.0);
  for (int step = 0; step < most_steps; ++step) {
    // Hessian, and the gradient as its right side.
    std::vector<std::vector<double>> system(n, std::vector<double>(n + 1));
    for (std::size_t row = 0; row < points.labels.size(); ++row) {
      const std::span<const float> values = points.inputs.row(row);
      std::ranges::copy(values, x.begin());
      const double p = 1 / (1 + std::exp(-score(weights, values)));
      const double weight = p * (1 - p);
      const double slope = (points.labels[row] ? 1.0 : 0.0) - p;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) system[i][j] += weight * x[i] * x[j];
        system[i][n] += slope * x[i];
      }
    }
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

double logistic_error(const std::vector<double>& weights, const Points& points) {
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < points.labels.size(); ++row)
    if ((score(weights, points.inputs.row(row)) > 0) != points.labels[row]) ++wrong;
  return static_cast<double>(wrong) / static_cast<double>(points.labels.size());
}

}  // namespace coppice::experiments
