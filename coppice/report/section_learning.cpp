#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::size_t points_per_curve = 400;

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

std::string picture(const NetHistory& history, const Curve& curve, const char* name, const char* style,
                    const NumberText& labels) {
  Scale y = fitting(curve.y);
  y.high = std::min(y.high, fitting({y.low, upper_end(curve)}).high);
  Plot plot(940, 270, {.low = 0, .high = static_cast<double>(std::max<std::size_t>(history.last_epoch(), 1))},
            y, {.picture = name, .x = "epoch", .y = name, .x_text = count_labels(), .y_text = labels});
  draw_phases_behind(plot, history);
  Curve shown = curve;
  for (double& value : shown.y) value = std::min(value, y.high);
  plot.curve(shown, style);
  draw_phases_before(plot, history);
  return plot.svg.str();
}

std::string describe(const RunRecord& run, const NetResult& net, const NetHistory& history) {
  if (history.epochs.empty()) return "The journal holds no epoch of this net.";
  const auto best = std::ranges::min_element(history.epochs, [](const EpochRow& a, const EpochRow& b) {
    return (std::isfinite(a.validation_error) ? a.validation_error : HUGE_VAL) <
           (std::isfinite(b.validation_error) ? b.validation_error : HUGE_VAL);
  });
  return fmt::format(
      "The validation error was {} after the first epoch and {} at its lowest (epoch {}); the finished net "
      "has {}. "
      "The training loss went from {} to {}.",
      error_text(run, history.epochs.front().validation_error), error_text(run, best->validation_error),
      best->epoch, error_text(run, net.validation_error), number_text(history.epochs.front().train_loss),
      number_text(net.train_loss));
}

}  // namespace

void add_learning(const RunRecord& run, Page& page) {
  std::vector<std::string> texts;
  std::string errors;
  std::string losses;
  for (const std::size_t net : page.nets) {
    const NetHistory& history = run.histories[net];
    const Curve error = curve_of(history, &EpochRow::validation_error);
    const Curve loss = curve_of(history, &EpochRow::train_loss);
    if (net == run.chosen) {
      errors = picture(history, error, "validation error", "curve s1", error_labels(run));
      losses = picture(history, loss, "training loss", "curve s2", number_labels());
    }
    Json& entry = page.data["nets"][std::to_string(net)];
    entry["error"] = curve_json(error);
    entry["error"]["top"] = rounded_json(upper_end(error));
    entry["loss"] = curve_json(loss);
    entry["loss"]["top"] = rounded_json(upper_end(loss));
    texts.push_back(describe(run, run.nets[net], history));
  }
  page.sections.push_back({.id = "learning",
                           .title = "Validation error and training loss",
                           .html = net_selector(run, page) + legend({{"stroke s1", "validation error"}}) +
                                   chart_html("error", errors, "low") +
                                   legend({{"stroke s2", "training loss"}}) +
                                   chart_html("loss", losses, "low") + captions_per_net(page, texts)});
}

}  // namespace coppice
