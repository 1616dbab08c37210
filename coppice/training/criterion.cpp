#include "coppice/training/criterion.h"

#include "coppice/core/elementary.h"
#include "coppice/network/score_metrics.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

/// Of the scores against the validation rows.
double criterion_of_scores(Metric metric, const Matrix<float>& scores, const NetData& data) {
  const Dataset& set = *data.validation;
  std::vector<std::uint32_t> labels;
  std::vector<float> targets;
  for (const std::uint32_t row : data.validation_rows) {
    if (!set.labels.empty()) labels.push_back(set.labels[row]);
    if (!set.targets.empty()) targets.push_back(set.targets[row]);
  }
  const std::vector<float> weights = weights_of(set, data.validation_rows);
  return score_criterion(metric,
                         {.scores = scores, .labels = labels, .targets = targets, .weights = weights});
}

}  // namespace

bool is_coarse(Metric metric, std::size_t classes) {
  return classes > 0 && metric != Metric::log_loss;
}

double with_ties_broken(double coarse, double log_loss) {
  constexpr double quantum = 1e-4;  // of log-losses, relative
  constexpr double largest = 30;    // of their logarithms
  constexpr double share = 1e-8;    // less than any row's part in a share of rows
  const double place = std::clamp(elementary::log(log_loss), -largest, largest);
  return coarse + share * (std::floor(place / quantum) * quantum + largest) / (2 * largest);
}

void set_validation(NetState& state, const LossSum& sum, const Matrix<float>& scores, const NetData& data,
                    const TrainingOptions& options) {
  const double rows = total_weight(*data.validation, data.validation_rows);
  const double loss = sum.loss / rows;
  state.validation_error = data.classes > 0 ? sum.wrong / rows : loss;
  state.criterion = data.classes > 0 && options.metric == Metric::error ? state.validation_error : loss;
  if (needs_scores(options.metric)) state.criterion = criterion_of_scores(options.metric, scores, data);
  if (!options.break_ties || !is_coarse(options.metric, data.classes)) return;
  // An area is nearly smooth: four digits of it count.
  if (options.metric == Metric::auc) state.criterion = std::round(state.criterion * 1e4) / 1e4;
  state.criterion = with_ties_broken(state.criterion, loss);
}

}  // namespace coppice
