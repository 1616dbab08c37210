#include "coppice/analysis/metrics.h"

#include "coppice/analysis/curves.h"
#include "coppice/analysis/interval_metrics.h"
#include "coppice/core/elementary.h"
#include "coppice/data/weights.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"
#include "coppice/model/threshold.h"
#include "coppice/network/score_metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace coppice {

namespace {

constexpr std::size_t most_curves = 50;

/// (sum of weights)^2 / sum of their squares.
double effective(std::span<const float> weights, std::size_t rows) {
  if (weights.empty()) return static_cast<double>(rows);
  double sum = 0;
  double squares = 0;
  for (const float weight : weights) {
    sum += weight;
    squares += static_cast<double>(weight) * weight;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

Metrics measure_classes(const ModelParts& model, const Matrix<float>& scores, const KnownRows& known,
                        std::span<const std::uint32_t> answers, bool with_auc) {
  const std::size_t classes = model.encoding.target.classes.size();
  const std::vector<std::uint32_t>& labels = known.labels;
  Metrics metrics;
  metrics.rows = scores.rows();
  metrics.effective_rows = effective(known.weights, metrics.rows);
  metrics.confusion.assign(classes + 1, std::vector<std::size_t>(classes));
  double total = 0;
  double wrong = 0;
  double total_known = 0;
  double squares = 0;
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    const double weight = known.weights.empty() ? 1.0 : known.weights[i];
    ++metrics.confusion[labels[i]][answers[i]];
    total += weight;
    wrong += answers[i] != labels[i] ? weight : 0.0;
    if (labels[i] >= classes) continue;
    total_known += weight;
    const double loss =
        -elementary::log(std::max(1e-15, probabilities(scores.row(i), model.temperature)[labels[i]]));
    metrics.log_loss += weight * loss;
    squares += weight * (loss * loss);
  }
  if (metrics.rows > 0) {
    metrics.error = wrong / total;
    metrics.standard_error = share_standard_error(metrics.error, metrics.effective_rows);
  }
  if (total_known > 0) {
    metrics.log_loss /= total_known;
    const double variance = squares / total_known - metrics.log_loss * metrics.log_loss;
    const double count = known.weights.empty() ? total_known : metrics.effective_rows;
    metrics.log_loss_deviation = std::sqrt(std::max(0.0, variance) / count);
  }
  const std::vector<ClassCount> counts = count_classes(labels, answers, known.weights, classes);
  metrics.balanced_error = balanced_error(counts);
  metrics.f1 = f1_score(counts);
  if (with_auc) metrics.auc = auc_of_classes(scores, labels, known.weights, model.temperature);
  for (std::size_t k = 0; k < classes; ++k) {
    metrics.classes.push_back(
        {.precision = counts[k].precision(), .recall = counts[k].recall(), .f1 = counts[k].f1()});
  }
  return metrics;
}

Metrics measure_values(const ModelParts& model, const Matrix<float>& scores, const KnownRows& known) {
  Metrics metrics;
  metrics.rows = scores.rows();
  metrics.effective_rows = effective(known.weights, metrics.rows);
  const std::vector<float>& targets = known.targets;
  const auto weight = [&](std::size_t i) { return known.weights.empty() ? 1.0 : known.weights[i]; };
  double count = known.weights.empty() ? static_cast<double>(std::max<std::size_t>(1, metrics.rows)) : 0;
  for (const float own : known.weights) count += own;
  // In deviations of the target's own numbers, whatever the net learns of them.
  const TargetColumn& column = model.encoding.target;
  const auto in_units = [&](double output) {
    return column.transform == TargetTransform::none ? output : column.value(output) / column.unit();
  };
  double mean = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) mean += weight(i) * in_units(targets[i]) / count;
  double squared = 0;
  double fourth = 0;
  double absolute = 0;
  double variance = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double target = in_units(targets[i]);
    const double difference = in_units(scores(i, 0)) - target;
    squared += weight(i) * (difference * difference) / count;
    fourth += weight(i) * elementary::pow(difference, 4) / count;
    absolute += weight(i) * std::abs(difference) / count;
    variance += weight(i) * ((target - mean) * (target - mean)) / count;
  }
  const double whole = variance > 0 ? variance : 1;
  metrics.error = squared / whole;
  metrics.standard_error =
      std::sqrt(std::max(0.0, fourth - squared * squared) / std::max(1.0, metrics.effective_rows)) / whole;
  metrics.rmse = std::sqrt(squared) * column.unit();
  metrics.mae = absolute * column.unit();
  metrics.r2 = variance > 0 ? 1 - squared / variance : std::nan("");
  return metrics;
}

/// After Hanley and McNeil; one more pair of each kind is counted.
double area_standard_error(double area, double positives, double negatives) {
  const double fewer = std::min(positives, negatives);
  const double a = (area * fewer + 1) / (fewer + 2);
  const double q1 = a / (2 - a);
  const double q2 = 2 * a * a / (1 + a);
  const double variance = (a * (1 - a) + (positives - 1) * (q1 - a * a) + (negatives - 1) * (q2 - a * a)) /
                          (positives * negatives);
  return std::sqrt(std::max(0.0, variance));
}

/// Rows of each class as if they had no weights.
std::vector<double> effective_counts(const Metrics& metrics) {
  std::vector<double> counts;
  const double share = metrics.effective_rows / static_cast<double>(std::max<std::size_t>(1, metrics.rows));
  for (std::size_t k = 0; k < metrics.confusion.size(); ++k)
    counts.push_back(share * static_cast<double>(metrics.rows_of(k)));
  return counts;
}

double auc_deviation(const Metrics& metrics) {
  const std::vector<double> counts = effective_counts(metrics);
  if (metrics.classes.size() > 2) return share_standard_error(1 - metrics.auc, metrics.effective_rows);
  return area_standard_error(metrics.auc, std::max(1.0, counts[1]), std::max(1.0, counts[0]));
}

double balanced_error_deviation(const Metrics& metrics) {
  const std::vector<double> counts = effective_counts(metrics);
  double squares = 0;
  double occurring = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    const double wrong = k < metrics.classes.size() ? 1 - metrics.classes[k].recall : 1;
    squares += elementary::pow(share_standard_error(wrong, counts[k]), 2);
    occurring += 1;
  }
  return std::sqrt(squares) / std::max(1.0, occurring);
}

/// Of each F1 as a share of the rows that are of the class or were given it.
double f1_deviation(const Metrics& metrics) {
  const double share = metrics.effective_rows / static_cast<double>(std::max<std::size_t>(1, metrics.rows));
  const std::size_t classes = metrics.classes.size();
  double squares = 0;
  double occurring = 0;
  for (std::size_t k = classes == 2 ? 1 : 0; k < classes; ++k) {
    std::size_t either = metrics.rows_of(k);
    for (std::size_t actual = 0; actual < metrics.confusion.size(); ++actual)
      either += actual != k ? metrics.confusion[actual][k] : 0;
    if (either == 0) continue;
    const double f1 = metrics.confusion[k][k] > 0 ? metrics.classes[k].f1 : 0;
    squares += elementary::pow(share_standard_error(1 - f1, share * static_cast<double>(either)), 2);
    occurring += 1;
  }
  return std::sqrt(squares) / std::max(1.0, occurring);
}

/// The rows that count something, with their weights.
Dataset counting_rows(Dataset data, const std::vector<float>& weights) {
  std::vector<std::uint32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  drop_weightless(weights, rows);
  Dataset counting;
  counting.inputs = Matrix<float>::packed(rows.size(), data.inputs.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(data.inputs.row(rows[i]), counting.inputs[i]);
    if (!data.labels.empty()) counting.labels.push_back(data.labels[rows[i]]);
    if (!data.targets.empty()) counting.targets.push_back(data.targets[rows[i]]);
    counting.weights.push_back(weights[rows[i]]);
  }
  return counting;
}

/// The curves of the classes, and the best thresholds of two.
void add_curves(Evaluation& evaluation, const ModelParts& model, const Matrix<float>& scores,
                const KnownRows& known) {
  const std::size_t classes = evaluation.class_names.size();
  if (classes > most_curves) return;
  for (std::size_t k = classes == 2 ? 1 : 0; k < classes; ++k) {
    const FullCurve full = curve_of(scores, known, k, model.temperature);
    if (full.points.empty()) continue;
    evaluation.curves.push_back({.of = k, .auc = full.auc, .points = thinned(full.points)});
    if (classes > 2) continue;
    evaluation.best_f1 = full.best_f1;
    evaluation.best_balanced_error = full.best_balanced_error;
  }
}

}  // namespace

std::size_t Metrics::rows_of(std::size_t actual) const {
  return std::accumulate(confusion[actual].begin(), confusion[actual].end(), std::size_t{0});
}

std::size_t Metrics::wrong_of(std::size_t actual) const {
  const bool seen = actual < confusion[actual].size();
  return rows_of(actual) - (seen ? confusion[actual][actual] : 0);
}

Evaluation evaluate(const Model& model, const Table& table, const PredictOptions& options,
                    const std::string& weight) {
  Evaluation evaluation;
  evaluation.task = model.task();
  evaluation.class_names = model.classes();
  const std::optional<Threshold> threshold = threshold_of(model.classes(), options);
  const std::optional<std::size_t> rank = interval_rank(model.parts(), options);
  Dataset data = encode(table, model.parts().encoding, true, evaluation.warnings);
  if (!weight.empty()) data = counting_rows(std::move(data), read_weights(table, weight));
  const NetScores nets = predict_nets(model.folded(), data, options, evaluation.notes, evaluation.warnings);
  const Matrix<float>& scores = nets.averaged;
  const KnownRows known{.labels = data.labels, .targets = data.targets, .weights = data.weights};
  const bool classes = evaluation.task == Task::classification;
  const std::vector<std::uint32_t> answers =
      classes ? answered(scores, model.temperature(), threshold) : std::vector<std::uint32_t>{};
  evaluation.metrics = measure(model.parts(), scores, known, {.answers = answers, .auc = true});
  evaluation.one_answer = gives_one_answer(scores, answers);
  if (rank) {
    const Intervals intervals = intervals_of(model.parts(), nets, *rank);
    evaluation.interval = measure_intervals(model.parts(), intervals, known, *options.interval);
  }
  if (!classes) return evaluation;
  evaluation.unseen_rows = evaluation.metrics.rows_of(evaluation.class_names.size());
  add_curves(evaluation, model.parts(), scores, known);
  return evaluation;
}

double share_standard_error(double share, double rows) {
  const double counted = (share * rows + 1) / (rows + 2);
  return std::sqrt(counted * (1 - counted) / (rows + 2));
}

Metrics measure(const ModelParts& model, const Matrix<float>& scores, const KnownRows& known,
                const MeasureOptions& options) {
  if (model.encoding.task == Task::regression) return measure_values(model, scores, known);
  if (!options.answers.empty()) return measure_classes(model, scores, known, options.answers, options.auc);
  return measure_classes(model, scores, known, best_classes(scores), options.auc);
}

Criterion criterion_of(const Metrics& metrics, Metric metric, Task task) {
  if (task == Task::regression && metric == Metric::mae) {
    const double variance = std::max(0.0, metrics.rmse * metrics.rmse - metrics.mae * metrics.mae);
    return {.value = metrics.mae, .deviation = std::sqrt(variance / std::max(1.0, metrics.effective_rows))};
  }
  if (task == Task::regression) return {.value = metrics.error, .deviation = metrics.standard_error};
  switch (metric) {
    case Metric::log_loss:
      return {.value = metrics.log_loss, .deviation = metrics.log_loss_deviation};
    case Metric::auc:
      if (std::isnan(metrics.auc)) return {.value = 0.5, .deviation = 0.5};
      return {.value = 1 - metrics.auc, .deviation = auc_deviation(metrics)};
    case Metric::balanced_error:
      return {.value = metrics.balanced_error, .deviation = balanced_error_deviation(metrics)};
    case Metric::f1:
      return {.value = 1 - metrics.f1, .deviation = f1_deviation(metrics)};
    default:
      return {.value = metrics.error, .deviation = metrics.standard_error};
  }
}

bool gives_one_answer(const Matrix<float>& scores, std::span<const std::uint32_t> answers) {
  for (std::size_t i = 1; i < scores.rows(); ++i) {
    const bool same = !answers.empty()    ? answers[i] == answers[0]
                      : scores.cols() > 1 ? best_class(scores.row(i)) == best_class(scores.row(0))
                                          : scores(i, 0) == scores(0, 0);
    if (!same) return false;
  }
  return true;
}

}  // namespace coppice
