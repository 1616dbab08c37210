#include "cli/search_results.h"

#include "coppice/model/names.h"
#include "coppice/report/table.h"

#include "cli/results.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

std::string errors_text(Task task, const Spread& errors, std::size_t nets) {
  return nets > 1 ? spread_text(task, errors) : error_text(task, errors.median);
}

std::string remark(const RankedSetting& setting, bool first) {
  if (setting.failed > 0)
    return setting.results.size() > 1 ? fmt::format("{} failed", setting.failed) : "failed";
  return first ? "<- model" : "";
}

}  // namespace

std::string search_table(const SearchSummary& summary, std::size_t rows) {
  const bool classes = summary.task == Task::classification;
  const bool tested = std::ranges::any_of(
      summary.ranked, [](const RankedSetting& setting) { return setting.test_error.has_value(); });
  const bool seeds = std::ranges::any_of(
      summary.ranked, [](const RankedSetting& setting) { return setting.results.size() > 1; });
  std::vector<std::string> heading{"optimizer", "step", "norm", "units", "parameters"};
  if (seeds) heading.emplace_back("nets");
  heading.emplace_back(classes ? "validation error" : "validation error*");
  if (tested) heading.emplace_back(classes ? "test error" : "test error*");
  heading.insert(heading.end(), {"epochs", ""});
  TextTable table(heading);
  for (std::size_t i = 0; i < std::min(rows, summary.ranked.size()); ++i) {
    const RankedSetting& setting = summary.ranked[i];
    const std::size_t nets = setting.results.size();
    std::vector<std::string> row{name_of(setting.trial.optimizer), fmt::format("{:.3g}", setting.trial.step),
                                 name_of(setting.trial.norm), size_text(setting.trial.hidden),
                                 std::to_string(setting.parameters)};
    if (seeds) row.push_back(std::to_string(nets));
    row.push_back(errors_text(summary.task, setting.validation_error, nets));
    if (tested)
      row.push_back(setting.test_error ? errors_text(summary.task, *setting.test_error, nets) : "-");
    row.push_back(fmt::format("{:.0f}", setting.epochs));
    row.push_back(remark(setting, i == 0));
    table.add(std::move(row));
  }
  std::string text = table.text();
  if (summary.ranked.size() > rows)
    text += fmt::format("the {} best of {} settings; summary.json has all\n", rows, summary.ranked.size());
  if (seeds) text += "median (range) where a setting has several nets\n";
  if (!classes) text += "* squared error as a share of the target's variance\n";
  return text;
}

}  // namespace coppice::cli
