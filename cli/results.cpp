#include "cli/results.h"

#include "coppice/core/text.h"
#include "coppice/report/table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

std::string phase_text(const NetResult& net) {
  if (net.phase == "done") return "done";
  if (net.phase == "failed") return "failed: loss not finite, best state so far kept";
  return "stopped in " + net.phase;
}

}  // namespace

std::string results_table(const Summary& summary) {
  const bool classes = summary.task == Task::classification;
  const bool tested =
      std::ranges::any_of(summary.nets, [](const NetResult& net) { return net.test_error.has_value(); });
  const auto error_text = [&](double error) {
    if (!std::isfinite(error)) return std::string("-");
    return classes ? percent_text(error) : fmt::format("{:.4g}", error);
  };
  std::vector<std::string> heading{"lambda", "seed", "units", "parameters", "train loss"};
  heading.emplace_back(classes ? "validation error" : "validation error*");
  if (tested) heading.emplace_back(classes ? "test error" : "test error*");
  heading.insert(heading.end(), {"epochs", "end", ""});
  TextTable table(heading);
  for (std::size_t i = 0; i < summary.nets.size(); ++i) {
    const NetResult& net = summary.nets[i];
    std::vector<std::string> units;
    for (const std::size_t count : net.hidden_units) units.push_back(std::to_string(count));
    std::vector<std::string> row{fmt::format("{:g}", net.lambda),
                                 std::to_string(net.seed),
                                 joined(units, "-"),
                                 std::to_string(net.parameters),
                                 std::isfinite(net.train_loss) ? fmt::format("{:.4f}", net.train_loss) : "-",
                                 error_text(net.validation_error)};
    if (tested) row.push_back(net.test_error ? error_text(*net.test_error) : "-");
    row.insert(row.end(), {std::to_string(net.epochs), phase_text(net),
                           i == summary.best && summary.nets.size() > 1 ? "<- best" : ""});
    table.add(std::move(row));
  }
  std::string text = table.text();
  if (!classes)
    text +=
        "* squared error as a share of the target's variance: 0 is perfect, 1 is no better than the mean\n";
  return text;
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
}

}  // namespace coppice::cli
