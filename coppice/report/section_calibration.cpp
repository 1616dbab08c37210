#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

/// A point is the larger the more rows it stands for.
double radius_of(double rows, double all) {
  return std::clamp(14 * std::sqrt(rows / all), 2.0, 8.0);
}

void draw(Chart& chart, const Json& bins, const std::string& style, const char* name) {
  Curve curve;
  double all = 0;
  for (const Json& bin : bins) all += std::max(number_at(bin, "rows"), 0.0);
  for (const Json& bin : bins) {
    const double given = number_at(bin, "confidence");
    const double right = number_at(bin, "accuracy");
    if (!std::isfinite(given) || !std::isfinite(right) || !(number_at(bin, "rows") > 0)) continue;
    curve.add(given, right);
    chart.mark(given, right, radius_of(number_at(bin, "rows"), all), "mark " + style,
               fmt::format("{}\nsays {}, right {}\n{} rows", name, share_text(given), share_text(right),
                           count_text(number_at(bin, "rows"))));
  }
  chart.curve(curve, "curve " + style);
}

std::string calibration_picture(const Json& calibration) {
  const Scale shares{.low = 0, .high = 1};
  Chart chart("reliability before and after the temperature",
              {.name = "probability given", .scale = shares, .text = share_labels()},
              {.name = "share that was right", .scale = shares, .text = share_labels()});
  chart.path("M0 0L1 -1", "ideal");
  draw(chart, member(calibration, "before"), "s2", "before the temperature");
  draw(chart, member(calibration, "after"), "s1", "after");
  return chart.height(400).str();
}

std::string describe_calibration(const RunRecord& run, const Json& calibration) {
  const double temperature = number_at(calibration, "temperature");
  const double before = number_at(calibration, "ece_before");
  const double after = number_at(calibration, "ece_after");
  std::string text = fmt::format("Dividing all scores by {} ", number_text(temperature));
  text += temperature < 1 ? "makes the net surer of itself" : "makes the net less sure of itself";
  text +=
      after < before ? " and its probabilities more honest: " : "; its probabilities were honest already: ";
  text += fmt::format(
      "on average they were off by {} and are off by {} now. On the dashed line they are exact; larger dots "
      "stand for more rows. Made of {}.",
      share_text(before), share_text(after), rows_text(run));
  if (text_at(run.analysis, "rows") == "test") return text;
  if (member(calibration, "crossed") == true) {
    return text +
           " The model’s temperature was fitted on these rows; here each half of them is judged with one "
           "that was fitted on the other half.";
  }
  return text + " The temperature was fitted on these very rows, so it looks better here than on others.";
}

}  // namespace

std::string calibration_html(const RunRecord& run) {
  const Json& calibration = member(run.analysis, "calibration");
  if (!calibration.is_object()) return {};
  const auto row = [&](const char* name, const char* key) {
    return std::vector<std::string>{
        name, fmt::format("{:.4f}", number_at(calibration, fmt::format("{}_before", key).c_str())),
        fmt::format("{:.4f}", number_at(calibration, fmt::format("{}_after", key).c_str()))};
  };
  return legend({{"stroke s2", "before the temperature"}, {"stroke s1", "after"}}) +
         "<div class=\"pair uneven\">" + calibration_picture(calibration) +
         table_html({"", "before", "after"}, {row("calibration error", "ece"), row("log-loss", "log_loss")}) +
         "</div>" + caption(describe_calibration(run, calibration));
}

}  // namespace coppice
