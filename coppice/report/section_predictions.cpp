#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

std::string predictions_picture(const std::vector<double>& actual, const std::vector<double>& predicted) {
  std::vector<double> values = actual;
  values.insert(values.end(), predicted.begin(), predicted.end());
  const Scale scale = fitting(values);
  Chart chart("predicted against actual", {.name = "actual", .scale = scale, .text = number_labels()},
              {.name = "predicted", .scale = scale, .text = number_labels()});
  chart.curve({.x = {scale.low, scale.high}, .y = {scale.low, scale.high}}, "ideal");
  std::string dots;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!std::isfinite(actual[i]) || !std::isfinite(predicted[i])) continue;
    // A line of no length with round ends is a dot, and much shorter than a circle.
    dots += fmt::format("M{:.4g} {:.4g}h0", actual[i], 0 - predicted[i]);
  }
  chart.path(dots, "dots s1", "predicted");
  return chart.height(440).str();
}

double median_distance(const std::vector<double>& actual, const std::vector<double>& predicted) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double distance = std::abs(actual[i] - predicted[i]);
    if (std::isfinite(distance)) distances.push_back(distance);
  }
  if (distances.empty()) return std::nan("");
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  return *middle;
}

}  // namespace

std::string predictions_html(const RunRecord& run) {
  const Json& pairs = member(run.analysis, "actual_predicted");
  const std::vector<double> actual = numbers_at(pairs, "actual");
  const std::vector<double> predicted = numbers_at(pairs, "predicted");
  if (actual.empty() || actual.size() != predicted.size()) return {};
  return "<div class=\"square\">" + predictions_picture(actual, predicted) + "</div>" +
         caption(fmt::format("{} {} rows; on the dashed line predicted equals actual. Half of the "
                             "predictions are within {} of the truth.",
                             count_text(static_cast<double>(actual.size())), text_at(run.analysis, "rows"),
                             number_text(median_distance(actual, predicted))));
}

}  // namespace coppice
