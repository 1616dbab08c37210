#include "coppice/model/threshold.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/columns.h"
#include "coppice/model/predict.h"
#include "coppice/network/score_metrics.h"

namespace coppice {

std::optional<Threshold> threshold_of(const std::vector<std::string>& classes,
                                      const PredictOptions& options) {
  if (!options.threshold && options.positive.empty()) return std::nullopt;
  if (classes.size() != 2) {
    const std::string what = classes.empty() ? "numbers" : fmt::format("one of {} classes", classes.size());
    fail_option(options.threshold ? "threshold" : "positive",
                "`{}`: a threshold decides between two classes, and this model predicts {}; leave it out",
                options.threshold ? "threshold" : "positive", what);
  }
  if (!options.threshold) {
    fail_option("positive", "`positive` {}: says whose probability a `threshold` is for; give that too",
                cited(options.positive));
  }
  if (!(*options.threshold >= 0 && *options.threshold <= 1)) {
    fail_option("threshold", "`threshold` {:g}: a probability lies between 0 and 1", *options.threshold);
  }
  Threshold threshold{.positive = 1, .least = *options.threshold};
  if (options.positive.empty()) return threshold;
  threshold.positive = ClassIndex(classes).find(options.positive);
  if (threshold.positive == classes.size()) {
    fail_option("positive", "`positive`: there is no class {}{}; the classes are {}", cited(options.positive),
                suggestion(options.positive, classes), listed(classes));
  }
  return threshold;
}

std::vector<std::uint32_t> answered(const Matrix<float>& scores, double temperature,
                                    const std::optional<Threshold>& threshold) {
  if (!threshold) return best_classes(scores);
  std::vector<std::uint32_t> answers(scores.rows());
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    const bool positive = probabilities(scores.row(i), temperature)[threshold->positive] >= threshold->least;
    answers[i] = static_cast<std::uint32_t>(positive ? threshold->positive : 1 - threshold->positive);
  }
  return answers;
}

}  // namespace coppice
