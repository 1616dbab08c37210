#include "coppice/api/metric.h"

#include "coppice/analysis/metrics.h"
#include "coppice/core/fail.h"
#include "coppice/core/names.h"

#include <algorithm>
#include <cmath>

namespace coppice {

void refuse_metric(std::optional<Metric> metric, Task task) {
  if (!metric || *metric == Metric::error) return;
  const bool of_numbers = *metric == Metric::rmse || *metric == Metric::mae;
  if (of_numbers == (task == Task::regression)) return;
  fail_option("metric", "`metric` {}: is one of {}, and here {} are predicted; use {}", name_of(*metric),
              of_numbers ? "numbers" : "classes", of_numbers ? "classes" : "numbers",
              of_numbers ? "log-loss, error, auc, balanced-error or f1" : "rmse or mae");
}

double estimated_standard_error(double criterion, std::size_t classes, Metric metric, std::size_t rows) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, rows));
  if (classes > 0 && metric != Metric::log_loss) return share_standard_error(criterion, count);
  const double deviations = classes > 0 ? 1 : metric == Metric::mae ? std::acos(-1.0) / 2 - 1 : 2;
  return criterion * std::sqrt(deviations / count);
}

}  // namespace coppice
