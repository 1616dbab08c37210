#include "coppice/network/score_metrics.h"

#include "coppice/core/elementary.h"
#include "coppice/core/fail.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

double weight_of(std::span<const float> weights, std::size_t row) {
  return weights.empty() ? 1.0 : weights[row];
}

/// What rows of a class are ranked by: its probability, or of two classes the difference of their scores, which has the
/// same order. A row per class.
Matrix<double> rank_scores(const Matrix<float>& scores, std::span<const std::size_t> rows,
                           double temperature) {
  const std::size_t classes = scores.cols();
  Matrix<double> ranked(classes, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::span<const float> row = scores.row(rows[i]);
    if (classes == 2) {
      ranked(1, i) = static_cast<double>(row[1]) - row[0];
      ranked(0, i) = -ranked(1, i);
      continue;
    }
    const double top = *std::ranges::max_element(row);
    double total = 0;
    for (std::size_t k = 0; k < classes; ++k)
      total += ranked(k, i) = elementary::exp((row[k] - top) / temperature);
    for (std::size_t k = 0; k < classes; ++k) ranked(k, i) /= total;
  }
  return ranked;
}

double mean_absolute(const ScoredRows& rows) {
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < rows.targets.size(); ++i) {
    const double weight = weight_of(rows.weights, i);
    sum += weight * std::abs(static_cast<double>(rows.scores(i, 0)) - rows.targets[i]);
    total += weight;
  }
  return sum / total;
}

}  // namespace

std::vector<ClassCount> count_classes(std::span<const std::uint32_t> labels,
                                      std::span<const std::uint32_t> predicted,
                                      std::span<const float> weights, std::size_t classes) {
  std::vector<ClassCount> counts(classes + 1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double weight = weight_of(weights, i);
    counts[std::min<std::size_t>(labels[i], classes)].actual += weight;
    counts[predicted[i]].predicted += weight;
    if (labels[i] == predicted[i]) counts[predicted[i]].right += weight;
  }
  return counts;
}

double balanced_error(std::span<const ClassCount> counts) {
  double sum = 0;
  std::size_t occurring = 0;
  for (const ClassCount& count : counts) {
    if (count.actual == 0) continue;
    sum += 1 - count.recall();
    ++occurring;
  }
  return sum / static_cast<double>(occurring);
}

double f1_score(std::span<const ClassCount> counts) {
  const std::span<const ClassCount> classes = counts.first(counts.size() - 1);
  const auto f1 = [](const ClassCount& count) { return count.right > 0 ? count.f1() : 0.0; };
  if (classes.size() == 2) return f1(classes[1]);
  double sum = 0;
  std::size_t occurring = 0;
  for (const ClassCount& count : classes) {
    if (count.actual + count.predicted == 0) continue;
    sum += f1(count);
    ++occurring;
  }
  return sum / static_cast<double>(occurring);
}

double auc(std::span<const double> scores, std::span<const std::uint8_t> positive,
           std::span<const float> weights) {
  if (std::ranges::any_of(scores, [](double score) { return std::isnan(score); })) return std::nan("");
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(scores[i], i); });
  double pairs = 0;  // in which the positive row has the higher score
  double positives = 0;
  double negatives = 0;
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    double own_positives = 0;
    double own_negatives = 0;
    for (; end < order.size() && scores[order[end]] == scores[order[first]]; ++end) {
      (positive[order[end]] != 0 ? own_positives : own_negatives) += weight_of(weights, order[end]);
    }
    pairs += own_positives * (negatives + own_negatives / 2);
    positives += own_positives;
    negatives += own_negatives;
  }
  return pairs / (positives * negatives);
}

double auc_of_classes(const Matrix<float>& scores, std::span<const std::uint32_t> labels,
                      std::span<const float> weights, double temperature) {
  const std::size_t classes = scores.cols();
  std::vector<std::size_t> known;
  std::vector<float> own_weights;
  std::vector<double> shares(classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= classes) continue;
    known.push_back(i);
    if (!weights.empty()) own_weights.push_back(weights[i]);
    shares[labels[i]] += weight_of(weights, i);
  }
  const Matrix<double> ranked = rank_scores(scores, known, temperature);
  std::vector<std::uint8_t> positive(known.size());
  double sum = 0;
  double total = 0;
  for (std::size_t k = classes == 2 ? 1 : 0; k < classes; ++k) {
    for (std::size_t i = 0; i < known.size(); ++i) positive[i] = labels[known[i]] == k ? 1 : 0;
    if (shares[k] == 0 && classes > 2) continue;
    const double area = auc(ranked.row(k), positive, own_weights);
    if (classes == 2) return area;
    sum += shares[k] * area;
    total += shares[k];
  }
  return sum / total;
}

std::vector<std::uint32_t> best_classes(const Matrix<float>& scores) {
  std::vector<std::uint32_t> best(scores.rows());
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    const std::span<const float> row = scores.row(i);
    best[i] = static_cast<std::uint32_t>(std::ranges::max_element(row) - row.begin());
  }
  return best;
}

double score_criterion(Metric metric, const ScoredRows& rows) {
  if (metric == Metric::mae) return mean_absolute(rows);
  if (metric == Metric::auc) {
    const double area = auc_of_classes(rows.scores, rows.labels, rows.weights);
    // Without rows of two classes there is nothing to tell apart; scores that are no numbers stay an error.
    const bool undefined = std::isnan(area) && std::isfinite(rows.scores(0, 0));
    return undefined ? 0.5 : 1 - area;
  }
  const std::vector<ClassCount> counts =
      count_classes(rows.labels, best_classes(rows.scores), rows.weights, rows.scores.cols());
  if (metric == Metric::balanced_error) return balanced_error(counts);
  if (metric == Metric::f1) return 1 - f1_score(counts);
  fail("{} is no metric of scores", name_of(metric));
}

}  // namespace coppice
