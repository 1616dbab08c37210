#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

/// Its place on the axis of sizes.
double size_of(const NetResult& net) {
  return static_cast<double>(net.parameters);
}

bool has_point(const NetResult& net) {
  return std::isfinite(net.validation_error) && net.parameters > 0;
}

/// Everything that the tooltip says, one line each.
Json net_lines(const RunRecord& run, const NetResult& net) {
  Json lines =
      Json::array({fmt::format("{} units, {} parameters", units_text(net), count_text(net.parameters)),
                   fmt::format("validation error {}", error_text(run, net.validation_error))});
  if (std::isfinite(net.standard_error)) {
    lines[1] = fmt::format("{} ± {}", lines[1].get<std::string>(), error_text(run, net.standard_error));
  }
  if (net.test_error) lines.push_back("test error " + error_text(run, *net.test_error));
  if (net.dominated) lines.push_back("another net is smaller and better");
  return lines;
}

std::string picture(const RunRecord& run) {
  std::vector<double> sizes;
  std::vector<double> errors;
  for (const NetResult& net : run.nets) {
    if (!has_point(net)) continue;
    const double deviation = std::isfinite(net.standard_error) ? net.standard_error : 0;
    sizes.push_back(size_of(net));
    errors.insert(errors.end(),
                  {std::max(net.validation_error - deviation, 0.0), net.validation_error + deviation});
  }
  Plot plot(940, 400, fitting(sizes, false, true), fitting(errors),
            {.picture = "validation error against parameters",
             .x = "parameters",
             .y = "validation error",
             .x_text = count_labels(),
             .y_text = error_labels(run)});
  std::vector<const NetResult*> front;
  for (const NetResult& net : run.nets) {
    if (has_point(net) && !net.dominated) front.push_back(&net);
  }
  std::ranges::sort(front, {}, &NetResult::parameters);
  Curve line;
  for (const NetResult* net : front) line.add(size_of(*net), net->validation_error);
  plot.curve(line, "front-line");
  for (std::size_t i = 0; i < run.nets.size(); ++i) {
    const NetResult& net = run.nets[i];
    if (!has_point(net)) continue;
    const double x = plot.x(size_of(net));
    const std::string style = i == run.chosen ? "chosen" : net.dominated ? "dominated" : "on-front";
    if (std::isfinite(net.standard_error)) {
      plot.svg.line(x, plot.y(net.validation_error - net.standard_error), x,
                    plot.y(net.validation_error + net.standard_error), "whisker " + style);
    }
    plot.svg.circle(x, plot.y(net.validation_error), i == run.chosen ? 7 : 5, style, net_text(net));
  }
  return plot.svg.str();
}

std::string describe(const RunRecord& run) {
  std::vector<const NetResult*> front;
  for (const NetResult& net : run.nets) {
    if (has_point(net) && !net.dominated) front.push_back(&net);
  }
  if (front.empty()) return "No net came to a finite validation error.";
  if (run.nets.size() == 1) {
    return "Only one net was trained; several values of --lambda lay the trade-off between size and error "
           "open.";
  }
  std::ranges::sort(front, {}, &NetResult::parameters);
  const NetResult& small = *front.front();
  const NetResult& large = *front.back();
  std::string text = "Each point is a net; further left is smaller, lower is better. ";
  if (front.size() == 1) {
    return text + fmt::format("One net, with {} parameters, is both the smallest and the best of {}.",
                              count_text(small.parameters), run.nets.size());
  }
  text += fmt::format("{} of {} nets are on the front: from {} parameters with an error of {} to {} with {}.",
                      front.size(), run.nets.size(), count_text(small.parameters),
                      error_text(run, small.validation_error), count_text(large.parameters),
                      error_text(run, large.validation_error));
  if (front.size() == run.nets.size()) return text;
  return text + " Faded nets are beaten by one that is no larger and no worse.";
}

}  // namespace

void add_front(const RunRecord& run, Page& page) {
  Json points = Json::array();
  for (std::size_t i = 0; i < run.nets.size(); ++i) {
    const NetResult& net = run.nets[i];
    if (!has_point(net)) continue;
    points.push_back({{"x", net.parameters},
                      {"y", rounded_json(net.validation_error)},
                      {"se", rounded_json(net.standard_error)},
                      {"dominated", net.dominated},
                      {"chosen", i == run.chosen},
                      {"title", fmt::format("lambda {:g}, seed {}{}", net.lambda, net.seed,
                                            i == run.chosen ? (run.fits ? " (chosen)" : " (best)") : "")},
                      {"lines", net_lines(run, net)}});
  }
  page.data["front"] = std::move(points);
  std::vector<std::pair<std::string, std::string>> entries{{"dot chosen", run.fits ? "chosen" : "best"},
                                                           {"dot on-front", "on the front"}};
  if (std::ranges::any_of(run.nets, &NetResult::dominated))
    entries.emplace_back("dot dominated", "dominated");
  const bool whiskers =
      std::ranges::any_of(run.nets, [](const NetResult& net) { return std::isfinite(net.standard_error); });
  if (whiskers) entries.emplace_back("bar", "± one standard error");
  page.sections.push_back(
      {.id = "front",
       .title = "Size against error",
       .html = legend(entries) + chart_html("front", picture(run)) + caption(describe(run))});
}

}  // namespace coppice
