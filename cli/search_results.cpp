#include "cli/search_results.h"

#include "coppice/model/names.h"
#include "coppice/report/table.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// A share in percent, with three digits where they are of use: "0.56", "20.3".
std::string percent(double share) {
  if (!std::isfinite(share)) return "-";
  const double value = 100 * share;
  if (value >= 1e5 || (value > 0 && value < 0.01)) return fmt::format("{:.2g}", value);
  return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

/// "20.3 (17.9-36.7)"; nets that diverged are worse than any other.
std::string errors_text(const Spread& errors, std::size_t nets) {
  if (nets == 1 || !std::isfinite(errors.median)) return percent(errors.median);
  return fmt::format("{} ({}-{})", percent(errors.median), percent(errors.low),
                     std::isfinite(errors.high) ? percent(errors.high) : "inf");
}

std::string epochs_text(const RankedSetting& setting) {
  if (setting.failed == 0) return fmt::format("{:.0f}", setting.epochs);
  return setting.results.size() == 1 ? "failed" : fmt::format("{} failed", setting.failed);
}

/// What the errors of several nets are; empty if no setting has several.
std::string nets_text(std::span<const RankedSetting> settings) {
  std::size_t least = 0;
  std::size_t most = 0;
  for (const RankedSetting& setting : settings) {
    const std::size_t nets = setting.results.size();
    if (nets < 2) continue;
    least = least == 0 ? nets : std::min(least, nets);
    most = std::max(most, nets);
  }
  if (most == 0) return "";
  const std::string nets = least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
  return fmt::format("errors with a range: median and range of {} nets\n", nets);
}

}  // namespace

std::string search_table(const SearchSummary& summary, std::size_t rows) {
  const bool classes = summary.task == Task::classification;
  const bool tested = std::ranges::any_of(
      summary.ranked, [](const RankedSetting& setting) { return setting.test_error.has_value(); });
  const std::span<const RankedSetting> shown(summary.ranked.data(), std::min(rows, summary.ranked.size()));
  std::vector<std::string> heading{"optimizer, step", "norm", "units", "params",
                                   classes ? "validation %" : "validation %*"};
  if (tested) heading.emplace_back(classes ? "test %" : "test %*");
  heading.emplace_back("epochs");
  TextTable table(heading);
  for (const RankedSetting& setting : shown) {
    const std::size_t nets = setting.results.size();
    std::vector<std::string> row{
        fmt::format("{} {:.3g}", name_of(setting.trial.optimizer), setting.trial.step),
        name_of(setting.trial.norm), size_text(setting.trial.hidden), std::to_string(setting.parameters),
        errors_text(setting.validation_error, nets)};
    if (tested) row.push_back(setting.test_error ? errors_text(*setting.test_error, nets) : "-");
    row.push_back(epochs_text(setting));
    table.add(std::move(row));
  }
  std::string text = table.text();
  if (summary.ranked.size() > rows)
    text += fmt::format("the {} best of {} settings; summary.json has all\n", rows, summary.ranked.size());
  text += nets_text(shown);
  if (!classes) text += "* squared error in % of the target's variance\n";
  if (!shown.empty() && std::isfinite(shown.front().validation_error.low))
    text += "the model is the first setting's best net\n";
  return text;
}

}  // namespace coppice::cli
