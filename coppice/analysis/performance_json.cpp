#include "coppice/analysis/performance_json.h"

#include "coppice/analysis/curves.h"
#include "coppice/analysis/data_json.h"

#include <algorithm>
#include <vector>

namespace coppice {

namespace {

constexpr std::size_t most_curve_classes = 50;
constexpr std::size_t points_of_all = 2000;

/// Hundredths, and finer steps near 0 and 1 for classes that are rare.
std::vector<double> shown_thresholds() {
  std::vector<double> all{0, 0.001, 0.002, 0.005};
  for (int percent = 1; percent < 100; ++percent) all.push_back(percent / 100.0);
  all.insert(all.end(), {0.995, 0.998, 0.999, 1});
  return all;
}

nlohmann::ordered_json curve_json(const std::string& name, const FullCurve& curve, std::size_t most) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const CurvePoint& point : thinned(curve.points, most)) {
    points.push_back({rounded(point.threshold), rounded(point.false_positive_rate), rounded(point.recall),
                      rounded(point.precision)});
  }
  return {{"class", name}, {"auc", rounded(curve.auc)}, {"points", points}};
}

/// How much of the class, and of the other one, is answered with it at each threshold; exact.
nlohmann::ordered_json thresholds_json(const std::string& name, const FullCurve& curve, double positives,
                                       double negatives) {
  nlohmann::ordered_json at = nlohmann::ordered_json::array();
  for (const double threshold : shown_thresholds()) {
    const auto below = std::ranges::find_if(
        curve.points, [&](const CurvePoint& point) { return point.threshold < threshold; });
    const CurvePoint last = below == curve.points.begin() ? CurvePoint{} : *(below - 1);
    at.push_back(
        {threshold, rounded(last.recall * positives), rounded(last.false_positive_rate * negatives)});
  }
  nlohmann::ordered_json json{
      {"class", name}, {"positives", rounded(positives)}, {"negatives", rounded(negatives)}, {"at", at}};
  if (curve.best_f1) json["best_f1"] = rounded(curve.best_f1->threshold);
  if (curve.best_balanced_error) json["best_balanced_error"] = rounded(curve.best_balanced_error->threshold);
  return json;
}

void add_curves_json(nlohmann::ordered_json& json, const Model& model, const Matrix<float>& scores,
                     const KnownRows& known) {
  const std::vector<std::string>& names = model.classes();
  json["curves"] = nlohmann::ordered_json::array();
  json["thresholds"] = nullptr;
  if (names.size() > most_curve_classes) return;
  const std::size_t most = std::clamp<std::size_t>(points_of_all / names.size(), 40, 200);
  for (std::size_t k = names.size() == 2 ? 1 : 0; k < names.size(); ++k) {
    const FullCurve curve = curve_of(scores, known, k, model.temperature());
    if (curve.points.empty()) continue;
    json["curves"].push_back(curve_json(names[k], curve, most));
    if (names.size() > 2) continue;
    double positives = 0;
    double all = 0;
    for (std::size_t i = 0; i < known.labels.size(); ++i) {
      const double weight = known.weights.empty() ? 1 : known.weights[i];
      all += weight;
      if (known.labels[i] == k) positives += weight;
    }
    json["thresholds"] = thresholds_json(names[k], curve, positives, all - positives);
  }
}

}  // namespace

nlohmann::ordered_json performance_json(const Model& model, const Matrix<float>& scores,
                                        const KnownRows& known) {
  const bool classes = model.task() == Task::classification;
  const Metrics metrics = measure(model.parts(), scores, known, {.auc = true});
  nlohmann::ordered_json json;
  json["one_answer"] = gives_one_answer(scores);
  if (!classes) {
    json["metrics"] = {{"error", rounded(metrics.error)},
                       {"rmse", rounded(metrics.rmse)},
                       {"mae", rounded(metrics.mae)},
                       {"r2", rounded(metrics.r2)}};
    return json;
  }
  json["metrics"] = {{"error", rounded(metrics.error)},
                     {"log_loss", rounded(metrics.log_loss)},
                     {"auc", rounded(metrics.auc)},
                     {"balanced_error", rounded(metrics.balanced_error)},
                     {"f1", rounded(metrics.f1)}};
  json["per_class"] = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < std::min(metrics.classes.size(), most_curve_classes); ++k) {
    json["per_class"].push_back({{"class", model.classes()[k]},
                                 {"rows", metrics.rows_of(k)},
                                 {"precision", rounded(metrics.classes[k].precision)},
                                 {"recall", rounded(metrics.classes[k].recall)},
                                 {"f1", rounded(metrics.classes[k].f1)}});
  }
  add_curves_json(json, model, scores, known);
  return json;
}

}  // namespace coppice
