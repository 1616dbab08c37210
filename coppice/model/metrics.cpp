#include "coppice/model/metrics.h"

#include "coppice/model/predict.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

Metrics measure_classes(const Model& model, const Matrix<float>& scores,
                        std::span<const std::uint32_t> labels) {
  const std::size_t classes = model.encoding.target.classes.size();
  Metrics metrics;
  metrics.rows = scores.rows();
  metrics.confusion.assign(classes + 1, std::vector<std::size_t>(classes));
  std::size_t wrong = 0;
  std::size_t known = 0;
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    const std::size_t predicted = best_class(scores.row(i));
    ++metrics.confusion[labels[i]][predicted];
    wrong += predicted != labels[i] ? 1 : 0;
    if (labels[i] >= classes) continue;
    ++known;
    metrics.log_loss -= std::log(std::max(1e-15, probabilities(scores.row(i), model.temperature)[labels[i]]));
  }
  if (metrics.rows > 0) {
    metrics.error = static_cast<double>(wrong) / static_cast<double>(metrics.rows);
    metrics.standard_error = share_standard_error(metrics.error, metrics.rows);
  }
  if (known > 0) metrics.log_loss /= static_cast<double>(known);
  return metrics;
}

Metrics measure_values(const Model& model, const Matrix<float>& scores, std::span<const float> targets) {
  Metrics metrics;
  metrics.rows = scores.rows();
  const auto count = static_cast<double>(std::max<std::size_t>(1, metrics.rows));
  double mean = 0;
  for (const float target : targets) mean += target / count;
  double squared = 0;
  double fourth = 0;
  double absolute = 0;
  double variance = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double difference = static_cast<double>(scores(i, 0)) - targets[i];
    squared += difference * difference / count;
    fourth += std::pow(difference, 4) / count;
    absolute += std::abs(difference) / count;
    variance += (targets[i] - mean) * (targets[i] - mean) / count;
  }
  metrics.error = squared;
  metrics.standard_error = std::sqrt(std::max(0.0, fourth - squared * squared) / count);
  metrics.rmse = std::sqrt(squared) * model.encoding.target.deviation;
  metrics.mae = absolute * model.encoding.target.deviation;
  metrics.r2 = variance > 0 ? 1 - squared / variance : std::nan("");
  return metrics;
}

}  // namespace

double share_standard_error(double share, std::size_t rows) {
  const auto n = static_cast<double>(rows);
  const double counted = (share * n + 1) / (n + 2);
  return std::sqrt(counted * (1 - counted) / (n + 2));
}

Metrics measure(const Model& model, const Matrix<float>& scores, std::span<const std::uint32_t> labels,
                std::span<const float> targets) {
  return model.encoding.task == Task::classification ? measure_classes(model, scores, labels)
                                                     : measure_values(model, scores, targets);
}

}  // namespace coppice
