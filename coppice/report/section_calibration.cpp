#include "coppice/report/section.h"

#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

Curve curve_of(const Json& bins) {
  Curve curve;
  for (const Json& bin : bins) {
    const double confidence = number_at(bin, "confidence");
    const double accuracy = number_at(bin, "accuracy");
    if (std::isfinite(confidence) && std::isfinite(accuracy) && number_at(bin, "rows") > 0) {
      curve.add(confidence, accuracy);
    }
  }
  return curve;
}

Json rows_of(const Json& bins) {
  Json rows = Json::array();
  for (const Json& bin : bins) {
    if (number_at(bin, "rows") > 0) rows.push_back(number_at(bin, "rows"));
  }
  return rows;
}

std::string picture(const Curve& before, const Curve& after) {
  const NumberText percent = [](double value) { return fmt::format("{:.0f} %", 100 * value); };
  Plot plot(560, 440, {.low = 0, .high = 1}, {.low = 0, .high = 1},
            {.picture = "reliability before and after the temperature",
             .x = "probability given",
             .y = "share that was right",
             .x_text = percent,
             .y_text = percent});
  plot.svg.line(plot.x(0), plot.y(0), plot.x(1), plot.y(1), "ideal");
  for (const auto& [curve, style] : {std::pair(&before, "s2"), std::pair(&after, "s1")}) {
    plot.curve(*curve, fmt::format("curve {}", style));
    for (std::size_t i = 0; i < curve->x.size(); ++i) {
      plot.svg.circle(plot.x(curve->x[i]), plot.y(curve->y[i]), 4, fmt::format("mark {}", style));
    }
  }
  return plot.svg.str();
}

std::string describe(const Json& calibration) {
  const double temperature = number_at(calibration, "temperature");
  const double before = number_at(calibration, "ece_before");
  const double after = number_at(calibration, "ece_after");
  std::string text = fmt::format("Dividing all scores by {} ", number_text(temperature));
  text += temperature < 1 ? "makes the net surer of itself" : "makes the net less sure of itself";
  text +=
      after < before ? " and its probabilities more honest: " : "; its probabilities were honest already: ";
  return text +
         fmt::format(
             "on average they were off by {} and are off by {} now. On the dashed line they are exact.",
             share_text(before), share_text(after));
}

}  // namespace

void add_calibration(const RunRecord& run, Page& page) {
  const Json& calibration = member(run.analysis, "calibration");
  std::string html = no_analysis();
  if (calibration.is_object()) {
    const Curve before = curve_of(member(calibration, "before"));
    const Curve after = curve_of(member(calibration, "after"));
    Json json{{"before", curve_json(before)}, {"after", curve_json(after)}};
    json["before"]["rows"] = rows_of(member(calibration, "before"));
    json["after"]["rows"] = rows_of(member(calibration, "after"));
    page.data["calibration"] = std::move(json);
    const auto row = [&](const char* name, const char* key) {
      return std::vector<std::string>{
          name, fmt::format("{:.4f}", number_at(calibration, fmt::format("{}_before", key).c_str())),
          fmt::format("{:.4f}", number_at(calibration, fmt::format("{}_after", key).c_str()))};
    };
    html =
        legend({{"stroke s2", "before the temperature"}, {"stroke s1", "after"}}) +
        "<div class=\"pair uneven\">" + chart_html("calibration", picture(before, after), "square") +
        table_html({"", "before", "after"}, {row("calibration error", "ece"), row("log-loss", "log_loss")}) +
        "</div>" + caption(describe(calibration));
  }
  page.sections.push_back({.id = "calibration", .title = "Are the probabilities honest?", .html = html});
}

}  // namespace coppice
