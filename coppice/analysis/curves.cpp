#include "coppice/analysis/curves.h"

#include "coppice/model/predict.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace coppice {

namespace {

/// A number between two probabilities that separates them, with few digits.
double between(double lower, double upper) {
  for (double digits = 100; digits < 1e15; digits *= 10) {
    const double rounded = std::ceil((lower + upper) / 2 * digits) / digits;
    if (rounded > lower && rounded <= upper) return rounded;
  }
  return upper;
}

}  // namespace

FullCurve curve_of(const Matrix<float>& scores, const KnownRows& known, std::size_t of, double temperature) {
  const std::size_t rows = scores.rows();
  std::vector<std::pair<double, std::size_t>> order;  // by falling probability
  double positives = 0;
  double negatives = 0;
  const auto weight = [&](std::size_t i) { return known.weights.empty() ? 1.0 : known.weights[i]; };
  for (std::size_t i = 0; i < rows; ++i) {
    const double probability = probabilities(scores.row(i), temperature)[of];
    if (std::isnan(probability)) return {};
    order.emplace_back(probability, i);
    (known.labels[i] == of ? positives : negatives) += weight(i);
  }
  if (!(positives > 0 && negatives > 0)) return {};
  std::ranges::sort(order, [](const auto& a, const auto& b) {
    return std::pair(-a.first, a.second) < std::pair(-b.first, b.second);
  });
  FullCurve curve;
  double right = 0;
  double wrong = 0;
  double area = 0;
  const auto offer = [](std::optional<BestThreshold>& best, double threshold, double value, bool better) {
    if (!best || better) best = BestThreshold{.threshold = threshold, .value = value};
  };
  for (std::size_t first = 0, end = 0; first < rows; first = end) {
    const double before = right;
    const double wrong_before = wrong;
    for (; end < rows && order[end].first == order[first].first; ++end)
      (known.labels[order[end].second] == of ? right : wrong) += weight(order[end].second);
    area += (wrong - wrong_before) * (before + right) / 2;
    const double recall = right / positives;
    const double false_rate = wrong / negatives;
    curve.points.push_back({.threshold = order[first].first,
                            .recall = recall,
                            .false_positive_rate = false_rate,
                            .precision = right / (right + wrong)});
    const double threshold = end < rows ? between(order[end].first, order[first].first) : order[first].first;
    const double f1 = 2 * right / (positives + right + wrong);
    const double balanced = (1 - recall + false_rate) / 2;
    offer(curve.best_f1, threshold, f1, curve.best_f1 && f1 > curve.best_f1->value);
    offer(curve.best_balanced_error, threshold, balanced,
          curve.best_balanced_error && balanced < curve.best_balanced_error->value);
  }
  curve.auc = area / (positives * negatives);
  return curve;
}

std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points, std::size_t most) {
  if (points.size() <= most) return points;
  std::vector<CurvePoint> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(points[i * (points.size() - 1) / (most - 1)]);
  return some;
}

}  // namespace coppice
