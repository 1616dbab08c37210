#include "coppice/analysis/interval_metrics.h"

#include "coppice/data/weights.h"
#include "coppice/model/parts.h"

#include <numeric>
#include <span>

namespace coppice {

namespace {

/// Whether an interval, or set, has the answer, and how large it is.
struct Held {
  bool right = false;
  double size = 0;
};

Held held_number(const TargetColumn& target, const Intervals& intervals, float output, std::size_t row) {
  const double value = target.value(output);
  return {.right = intervals.lower[row] <= value && value <= intervals.upper[row],
          .size = intervals.upper[row] - intervals.lower[row]};
}

Held held_class(std::span<const std::uint8_t> set, std::uint32_t label) {
  return {.right = label < set.size() && set[label] != 0,
          .size = static_cast<double>(std::accumulate(set.begin(), set.end(), std::size_t{0}))};
}

}  // namespace

IntervalMetrics measure_intervals(const ModelParts& model, const Intervals& intervals, const KnownRows& known,
                                  double level) {
  IntervalMetrics metrics{.level = level, .coverage = 0, .mean_size = 0};
  const TargetColumn& target = model.encoding.target;
  const bool numbers = model.encoding.task == Task::regression;
  const std::size_t classes = target.classes.size();
  const std::size_t rows = numbers ? known.targets.size() : known.labels.size();
  double weights = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const double weight = weight_at(known.weights, static_cast<std::uint32_t>(i));
    const Held held =
        numbers ? held_number(target, intervals, known.targets[i], i)
                : held_class(std::span(intervals.sets).subspan(i * classes, classes), known.labels[i]);
    weights += weight;
    metrics.coverage += held.right ? weight : 0;
    metrics.mean_size += weight * held.size;
  }
  metrics.coverage /= weights;
  metrics.mean_size /= weights;
  return metrics;
}

}  // namespace coppice
