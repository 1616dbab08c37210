#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace coppice {

namespace {

/// Nets of other folds were validated on other rows, and are compared with none.
bool has_point(const NetResult& net) {
  return net.fold == 0 && std::isfinite(net.validation_error) && net.parameters > 0;
}

/// The nets of the front that can be drawn, smallest first.
std::vector<const NetResult*> front_of(const RunRecord& run) {
  std::vector<const NetResult*> front;
  for (const NetResult& net : run.nets) {
    if (has_point(net) && !net.dominated) front.push_back(&net);
  }
  std::ranges::sort(front, {}, &NetResult::parameters);
  return front;
}

/// What is told of a net that one points at.
std::string net_title(const RunRecord& run, std::size_t i) {
  const NetResult& net = run.nets[i];
  std::string text = net.members.empty() ? fmt::format("{}, seed {}", lambda_text(net), net.seed)
                                         : std::string("averaged nets");
  if (i == run.chosen) text += run.fits ? " (chosen)" : " (best)";
  text += fmt::format("\n{}{}, {} parameters\nvalidation error {}", units_text(net),
                      net.members.empty() ? " units" : "", count_text(net.parameters),
                      error_text(run.task, net.validation_error));
  if (std::isfinite(net.standard_error)) text += " ± " + error_text(run.task, net.standard_error);
  if (net.test_error) text += "\ntest error " + error_text(run.task, *net.test_error);
  if (net.dominated) text += "\nanother net is smaller and better";
  return text;
}

std::string front_picture(const RunRecord& run) {
  std::vector<double> sizes;
  std::vector<double> errors;
  for (const NetResult& net : run.nets) {
    if (!has_point(net)) continue;
    const double deviation = std::isfinite(net.standard_error) ? net.standard_error : 0;
    sizes.push_back(static_cast<double>(net.parameters));
    errors.insert(errors.end(),
                  {std::max(net.validation_error - deviation, 0.0), net.validation_error + deviation});
  }
  Chart chart("validation error against parameters",
              {.name = "parameters", .scale = fitting(sizes, false, true), .text = count_labels()},
              {.name = "validation error", .scale = fitting(errors), .text = error_labels(run.task)});
  Curve line;
  for (const NetResult* net : front_of(run))
    line.add(static_cast<double>(net->parameters), net->validation_error);
  chart.curve(line, "front-line");
  for (std::size_t i = 0; i < run.nets.size(); ++i) {
    const NetResult& net = run.nets[i];
    if (!has_point(net)) continue;
    const auto x = static_cast<double>(net.parameters);
    const std::string style = i == run.chosen ? "chosen" : net.dominated ? "dominated" : "on-front";
    if (std::isfinite(net.standard_error)) {
      chart.line(x, net.validation_error - net.standard_error, x, net.validation_error + net.standard_error,
                 "whisker " + style);
    }
    chart.mark(x, net.validation_error, i == run.chosen ? 7 : 5, style, net_title(run, i));
  }
  return chart.str();
}

std::string describe_front(const RunRecord& run) {
  const std::vector<const NetResult*> front = front_of(run);
  if (front.empty()) return "No net came to a finite validation error.";
  if (run.nets.size() == 1) {
    return "Only one net was trained; several values of --lambda lay the trade-off between size and error "
           "open.";
  }
  const auto drawn = std::ranges::count_if(run.nets, has_point);
  const NetResult& small = *front.front();
  const NetResult& large = *front.back();
  std::string text = "Each point is a net; further left is smaller, lower is better. ";
  if (front.size() == 1) {
    return text + fmt::format("One net, with {} parameters, is both the smallest and the best of {}.",
                              count_text(small.parameters), drawn);
  }
  text += fmt::format("{} of {} nets are on the front: from {} parameters with an error of {} to {} with {}.",
                      front.size(), drawn, count_text(small.parameters),
                      error_text(run.task, small.validation_error), count_text(large.parameters),
                      error_text(run.task, large.validation_error));
  if (std::cmp_equal(front.size(), drawn)) return text;
  return text + " Faded nets are beaten by one that is no larger and no worse.";
}

}  // namespace

std::string front_html(const RunRecord& run) {
  Legend entries{{"dot chosen", run.fits ? "chosen" : "best"}, {"dot on-front", "on the front"}};
  if (std::ranges::any_of(run.nets, &NetResult::dominated))
    entries.emplace_back("dot dominated", "dominated");
  const bool whiskers =
      std::ranges::any_of(run.nets, [](const NetResult& net) { return std::isfinite(net.standard_error); });
  if (whiskers) entries.emplace_back("bar whisker", "± one standard error");
  return legend(entries) + front_picture(run) + caption(describe_front(run));
}

}  // namespace coppice
