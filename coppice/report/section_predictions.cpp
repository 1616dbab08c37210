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

/// How far off predictions are, over what they say: what is left of a pattern here the model did not learn.
std::string residuals_picture(const std::vector<double>& actual, const std::vector<double>& predicted) {
  std::vector<double> residuals;
  std::string dots;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    residuals.push_back(actual[i] - predicted[i]);
    if (std::isfinite(residuals[i])) dots += fmt::format("M{:.4g} {:.4g}h0", predicted[i], 0 - residuals[i]);
  }
  Chart chart("residuals over predictions",
              {.name = "predicted", .scale = fitting(predicted), .text = number_labels()},
              {.name = "actual − predicted", .scale = fitting(residuals), .text = number_labels()});
  const Scale x = fitting(predicted);
  chart.curve({.x = {x.low, x.high}, .y = {0, 0}}, "ideal");
  chart.path(dots, "dots s1", "off by");
  return chart.height(300).str();
}

/// How many predictions are off by how much: up to 31 bars, the ends holding all that lies beyond.
std::string histogram_picture(const std::vector<double>& actual, const std::vector<double>& predicted) {
  std::vector<double> residuals;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double residual = actual[i] - predicted[i];
    if (std::isfinite(residual)) residuals.push_back(residual);
  }
  if (residuals.size() < 2) return "";
  std::vector<double> sizes = residuals;
  for (double& size : sizes) size = std::abs(size);
  std::ranges::sort(sizes);
  const double most = sizes[(sizes.size() - 1) * 99 / 100];
  if (!(most > 0)) return "";
  constexpr std::size_t bars = 31;
  const double width = 2 * most / bars;
  std::vector<double> counts(bars);
  for (const double residual : residuals) {
    const double place = std::clamp((residual + most) / width, 0.0, static_cast<double>(bars) - 1);
    ++counts[static_cast<std::size_t>(place)];
  }
  Chart chart("how far off predictions are",
              {.name = "actual − predicted", .scale = {.low = -most, .high = most}, .text = number_labels()},
              {.name = "rows", .scale = fitting(counts, true), .text = count_labels()});
  Curve outline;
  for (std::size_t b = 0; b < bars; ++b) {
    const double left = -most + static_cast<double>(b) * width;
    outline.add(left, counts[b]);
    outline.add(left + width, counts[b]);
  }
  chart.path(data_path(outline) + fmt::format("L{:.7g} 0L{:.7g} 0z", most, -most), "filled s1");
  return chart.height(300).str();
}

}  // namespace

std::string predictions_html(const RunRecord& run) {
  const Json& pairs = member(run.analysis, "actual_predicted");
  const std::vector<double> actual = numbers_at(pairs, "actual");
  const std::vector<double> predicted = numbers_at(pairs, "predicted");
  if (actual.empty() || actual.size() != predicted.size()) return {};
  const double all = number_at(run.analysis, "n");
  const std::string some = all > static_cast<double>(actual.size())
                               ? fmt::format("{} of ", count_text(actual.size()))
                               : std::string();
  return "<div class=\"square\">" + predictions_picture(actual, predicted) + "</div>" +
         caption(fmt::format(
             "Made of {}{}; on the dashed line predicted equals actual. Half of the predictions are "
             "within {} of the truth.",
             some, rows_text(run), number_text(median_distance(actual, predicted)))) +
         "<div class=\"pair residuals\">" + residuals_picture(actual, predicted) +
         histogram_picture(actual, predicted) + "</div>" +
         caption(
             "What is left: actual minus predicted. A bend or a funnel on the first picture is something "
             "that "
             "the model has not learned. On the second the outermost bars hold all that is further off.");
}

}  // namespace coppice
