#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::size_t points_per_curve = 300;

Curve curve_of(const NetHistory& history, double EpochRow::*value) {
  Curve curve;
  for (const EpochRow& row : history.epochs) {
    if (std::isfinite(row.*value)) curve.add(static_cast<double>(row.epoch), row.*value);
  }
  return thinned(curve, points_per_curve);
}

/// The first epochs are far above all others: an axis up to them would flatten the rest, so it ends a little above
/// what most epochs reach, unless that hides little.
double upper_end(const Curve& curve) {
  std::vector<double> sorted = curve.y;
  if (sorted.empty()) return 1;
  std::ranges::sort(sorted);
  const double usual = sorted[(sorted.size() - 1) * 19 / 20];
  const double low = sorted.front();
  const double end = usual + 0.5 * (usual - low);
  return end > low && end < sorted.back() ? end : sorted.back();
}

Chart chart_of(const NetHistory& history, const Curve& curve, const std::string& name, const char* style,
               const NumberText& labels) {
  Scale y = fitting(curve.y);
  y.high = std::min(y.high, fitting({y.low, upper_end(curve)}).high);
  Chart chart = epoch_chart(history, name, {.name = name, .scale = y, .text = labels});
  chart.curve(curve, style, name);
  fade_taken_back(chart, history);
  return chart;
}

std::string describe_learning(const RunRecord& run, const NetResult& net, const NetHistory& history) {
  if (history.epochs.empty()) return "The journal holds no epoch of this net.";
  const auto best = std::ranges::min_element(history.epochs, [](const EpochRow& a, const EpochRow& b) {
    return (std::isfinite(a.validation_error) ? a.validation_error : HUGE_VAL) <
           (std::isfinite(b.validation_error) ? b.validation_error : HUGE_VAL);
  });
  return fmt::format(
      "The validation error was {} after the first epoch and {} at its lowest (epoch {}); the finished net "
      "has {}. The training loss went from {} to {}.",
      error_text(run.task, history.epochs.front().validation_error),
      error_text(run.task, best->validation_error), best->epoch, error_text(run.task, net.validation_error),
      number_text(history.epochs.front().train_loss), number_text(net.train_loss));
}

}  // namespace

std::string learning_html(const RunRecord& run) {
  return selected_net(run, [&](std::size_t net) {
    const NetHistory& history = run.histories[net];
    Chart errors = chart_of(history, curve_of(history, &EpochRow::validation_error), "validation error",
                            "curve s1", error_labels(run.task));
    if (run.classifies()) errors.in_percent();
    Chart losses = chart_of(history, curve_of(history, &EpochRow::train_loss), "training loss", "curve s2",
                            number_labels());
    return errors.height(200).str() + losses.height(200).str() +
           caption(describe_learning(run, run.nets[net], history));
  });
}

}  // namespace coppice
