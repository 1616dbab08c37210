#include "coppice/analysis/evaluation_json.h"

#include <cmath>

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json classes_json(const Evaluation& evaluation) {
  Json classes = Json::array();
  for (std::size_t k = 0; k < evaluation.metrics.classes.size(); ++k) {
    const ClassMetrics& metrics = evaluation.metrics.classes[k];
    classes.push_back({{"class", evaluation.class_names[k]},
                       {"rows", evaluation.metrics.rows_of(k)},
                       {"precision", or_null(metrics.precision)},
                       {"recall", or_null(metrics.recall)},
                       {"f1", or_null(metrics.f1)}});
  }
  return classes;
}

/// roc: false positive rate, recall, threshold; precision_recall: recall, precision, threshold.
Json curves_json(const Evaluation& evaluation) {
  Json curves = Json::array();
  for (const ClassCurve& curve : evaluation.curves) {
    Json roc = Json::array({Json::array({0.0, 0.0, nullptr})});
    Json precision_recall = Json::array();
    for (const CurvePoint& point : curve.points) {
      roc.push_back({point.false_positive_rate, point.recall, point.threshold});
      precision_recall.push_back({point.recall, point.precision, point.threshold});
    }
    curves.push_back({{"class", evaluation.class_names[curve.of]},
                      {"auc", or_null(curve.auc)},
                      {"roc", std::move(roc)},
                      {"precision_recall", std::move(precision_recall)}});
  }
  return curves;
}

Json threshold_json(const std::optional<BestThreshold>& best, const char* what) {
  if (!best) return nullptr;
  return {{"threshold", best->threshold}, {what, best->value}};
}

}  // namespace

Json metrics_json(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  Json json;
  if (evaluation.task == Task::regression) {
    json = {{"rmse", metrics.rmse}, {"mae", metrics.mae}, {"r2", or_null(metrics.r2)}};
  } else {
    json = {{"log_loss", metrics.log_loss},
            {"auc", or_null(metrics.auc)},
            {"balanced_error", metrics.balanced_error},
            {"f1", metrics.f1},
            {"per_class", classes_json(evaluation)},
            {"best_f1", threshold_json(evaluation.best_f1, "f1")},
            {"best_balanced_error", threshold_json(evaluation.best_balanced_error, "balanced_error")},
            {"curves", curves_json(evaluation)}};
  }
  json["one_answer"] = evaluation.one_answer;
  if (evaluation.interval) {
    const char* size = evaluation.task == Task::regression ? "mean_width" : "mean_size";
    json["interval"] = {{"level", evaluation.interval->level},
                        {"coverage", or_null(evaluation.interval->coverage)},
                        {size, or_null(evaluation.interval->mean_size)}};
  }
  return json;
}

}  // namespace coppice
