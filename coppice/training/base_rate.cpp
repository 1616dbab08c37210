#include "coppice/training/base_rate.h"

#include "coppice/core/elementary.h"
#include "coppice/network/resize.h"
#include "coppice/network/score_metrics.h"

#include <algorithm>
#include <cmath>

namespace coppice {

std::vector<float> base_rate(const NetData& data) {
  std::vector<double> counts(data.classes);
  const Dataset& set = *data.train;
  for (const std::uint32_t row : data.train_rows)
    counts[set.labels[row]] += set.weights.empty() ? 1.0 : set.weights[row];
  const double rows = total_weight(set, data.train_rows);
  std::vector<float> offset;
  // A class that the split left without a training row counts as half a row: its logarithm must be finite.
  for (const double count : counts)
    offset.push_back(static_cast<float>(elementary::log(std::max(count, 0.5) / rows)));
  return offset;
}

namespace {

/// Of metrics that look at all rows together: that of scores which are the same for every row.
double base_of_scores(const NetData& data, Metric metric) {
  const Dataset& set = *data.validation;
  Matrix<float> scores(data.validation_rows.size(), std::max<std::size_t>(1, data.classes));
  std::vector<std::uint32_t> labels;
  std::vector<float> targets;
  const std::vector<float> answer = data.classes > 0 ? base_rate(data) : std::vector(1, 0.0F);
  for (std::size_t i = 0; i < data.validation_rows.size(); ++i) {
    std::ranges::copy(answer, scores.row(i).begin());
    if (!set.labels.empty()) labels.push_back(set.labels[data.validation_rows[i]]);
    if (!set.targets.empty()) targets.push_back(set.targets[data.validation_rows[i]]);
  }
  const std::vector<float> weights = weights_of(set, data.validation_rows);
  return score_criterion(metric,
                         {.scores = scores, .labels = labels, .targets = targets, .weights = weights});
}

}  // namespace

double base_criterion(const NetData& data, Metric metric) {
  if (needs_scores(metric)) return base_of_scores(data, metric);
  const Dataset& set = *data.validation;
  const double rows = total_weight(set, data.validation_rows);
  const auto weight = [&](std::uint32_t row) { return set.weights.empty() ? 1.0 : set.weights[row]; };
  double sum = 0;
  if (data.classes == 0) {
    for (const std::uint32_t row : data.validation_rows)
      sum += weight(row) * elementary::pow(set.targets[row], 2);
    return sum / rows;
  }
  const std::vector<float> logs = base_rate(data);
  const auto usual = static_cast<std::size_t>(std::ranges::max_element(logs) - logs.begin());
  for (const std::uint32_t row : data.validation_rows) {
    const std::size_t label = set.labels[row];
    if (metric == Metric::error) {
      sum += label == usual ? 0.0 : weight(row);
    } else if (label < logs.size()) {
      sum -= weight(row) * logs[label];
    }
  }
  return sum / rows;
}

NetState unlearned(const NetState& state, std::vector<UnitEvent>& removed) {
  NetState plain = state;
  std::vector<Layer<float>>& layers = plain.network.layers;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    for (std::size_t j = 1; j < layers[l].units.size(); ++j) removed.push_back({layers[l].units[j], l});
    const ResizePlan plan{.layer = l, .keep = {0}, .added = {}};
    resize(plain.network, plan);
    plain.optimizer.resize(plan);
  }
  Matrix<float>& output = layers.back().weights;
  for (std::size_t j = 0; j < output.rows(); ++j) std::ranges::fill(output.row(j), 0.0F);
  return plain;
}

}  // namespace coppice
