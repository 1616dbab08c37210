#include "coppice/model/interval.h"

#include "coppice/core/fail.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

namespace coppice {

std::optional<double> reach_of(const ModelParts& model, const PredictOptions& options) {
  if (!options.interval) return std::nullopt;
  const double level = *options.interval;
  if (!(level > 0 && level < 1))
    fail_option("interval", "`interval` {:g}: the share of rows that it is to hold for lies between 0 and 1",
                level);
  const Conformity& conformity = model.conformity;
  if (conformity.rows == 0) {
    fail_option(
        "interval",
        "`interval` {:g}: the model does not say how wrong it was on rows that it did not learn from, as "
        "those of earlier versions do not; train it again",
        level);
  }
  const std::size_t rank = conformity.rank_of(level);
  if (rank > conformity.rows) {
    fail_option("interval",
                "`interval` {:g}: the {} rows that the model did not learn from can tell of {:.4g} at most; "
                "ask for less, or train with more rows",
                level, conformity.rows, conformity.highest_level());
  }
  return conformity.score_at(rank);
}

Intervals intervals_of(const ModelParts& model, const Matrix<float>& scores, double reach) {
  Intervals intervals;
  const TargetColumn& target = model.encoding.target;
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    if (model.encoding.task == Task::regression) {
      const double answer = scores(i, 0);
      const double away = reach * model.conformity.spread(answer);
      intervals.lower.push_back(target.value(answer - away));
      intervals.upper.push_back(target.value(answer + away));
      continue;
    }
    const std::size_t first = intervals.sets.size();
    for (const double p : probabilities(scores.row(i), model.temperature))
      intervals.sets.push_back(surprise(p) <= reach ? 1 : 0);
    intervals.sets[first + best_class(scores.row(i))] = 1;
  }
  return intervals;
}

}  // namespace coppice
