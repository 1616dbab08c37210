#include "coppice/analysis/metrics.h"

#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

Metrics measure_classes(const ModelParts& model, const Matrix<float>& scores,
                        std::span<const std::uint32_t> labels) {
  const std::size_t classes = model.encoding.target.classes.size();
  Metrics metrics;
  metrics.rows = scores.rows();
  metrics.confusion.assign(classes + 1, std::vector<std::size_t>(classes));
  std::size_t wrong = 0;
  std::size_t known = 0;
  double squares = 0;
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    const std::size_t predicted = best_class(scores.row(i));
    ++metrics.confusion[labels[i]][predicted];
    wrong += predicted != labels[i] ? 1 : 0;
    if (labels[i] >= classes) continue;
    ++known;
    const double loss =
        -std::log(std::max(1e-15, probabilities(scores.row(i), model.temperature)[labels[i]]));
    metrics.log_loss += loss;
    squares += loss * loss;
  }
  if (metrics.rows > 0) {
    metrics.error = static_cast<double>(wrong) / static_cast<double>(metrics.rows);
    metrics.standard_error = share_standard_error(metrics.error, metrics.rows);
  }
  if (known > 0) {
    const auto count = static_cast<double>(known);
    metrics.log_loss /= count;
    const double variance = squares / count - metrics.log_loss * metrics.log_loss;
    metrics.log_loss_deviation = std::sqrt(std::max(0.0, variance) / count);
  }
  return metrics;
}

Metrics measure_values(const ModelParts& model, const Matrix<float>& scores, std::span<const float> targets) {
  Metrics metrics;
  metrics.rows = scores.rows();
  const auto count = static_cast<double>(std::max<std::size_t>(1, metrics.rows));
  // In deviations of the target's own numbers, whatever the net learns of them.
  const TargetColumn& column = model.encoding.target;
  const auto in_units = [&](double output) {
    return column.transform == TargetTransform::none ? output : column.value(output) / column.unit();
  };
  double mean = 0;
  for (const float target : targets) mean += in_units(target) / count;
  double squared = 0;
  double fourth = 0;
  double absolute = 0;
  double variance = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double target = in_units(targets[i]);
    const double difference = in_units(scores(i, 0)) - target;
    squared += difference * difference / count;
    fourth += std::pow(difference, 4) / count;
    absolute += std::abs(difference) / count;
    variance += (target - mean) * (target - mean) / count;
  }
  metrics.error = squared;
  metrics.standard_error = std::sqrt(std::max(0.0, fourth - squared * squared) / count);
  metrics.rmse = std::sqrt(squared) * column.unit();
  metrics.mae = absolute * column.unit();
  metrics.r2 = variance > 0 ? 1 - squared / variance : std::nan("");
  return metrics;
}

}  // namespace

std::size_t Metrics::rows_of(std::size_t actual) const {
  return std::accumulate(confusion[actual].begin(), confusion[actual].end(), std::size_t{0});
}

std::size_t Metrics::wrong_of(std::size_t actual) const {
  const bool seen = actual < confusion[actual].size();
  return rows_of(actual) - (seen ? confusion[actual][actual] : 0);
}

Evaluation evaluate(const Model& model, const Table& table, const PredictOptions& options) {
  Evaluation evaluation;
  evaluation.task = model.task();
  evaluation.class_names = model.classes();
  const Dataset data = encode(table, model.parts().encoding, true, evaluation.warnings);
  const Matrix<float> scores =
      predict_scores(model.folded(), data, options, evaluation.notes, evaluation.warnings);
  evaluation.metrics = measure(model.parts(), scores, data.labels, data.targets);
  if (evaluation.task == Task::classification)
    evaluation.unseen_rows = evaluation.metrics.rows_of(evaluation.class_names.size());
  return evaluation;
}

double share_standard_error(double share, std::size_t rows) {
  const auto n = static_cast<double>(rows);
  const double counted = (share * n + 1) / (n + 2);
  return std::sqrt(counted * (1 - counted) / (n + 2));
}

Metrics measure(const ModelParts& model, const Matrix<float>& scores, std::span<const std::uint32_t> labels,
                std::span<const float> targets) {
  return model.encoding.task == Task::classification ? measure_classes(model, scores, labels)
                                                     : measure_values(model, scores, targets);
}

}  // namespace coppice
