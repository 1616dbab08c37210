#include "cli/search_results.h"

#include "coppice/core/names.h"
#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/run/summary.h"

#include "cli/terminal/table.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
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

/// "20.3 (17.9-36.7)", of the nets that have one.
std::string errors_text(std::vector<double> errors) {
  const std::size_t nets = errors.size();
  const Spread spread = spread_of(std::move(errors));
  if (nets < 2) return percent(spread.median);
  return fmt::format("{} ({}-{})", percent(spread.median), percent(spread.low), percent(spread.high));
}

/// Validation errors of the setting's nets that did not fail, and their test errors.
std::pair<std::vector<double>, std::vector<double>> errors_of(const RankedSetting& setting,
                                                              std::span<const TrialResult> results) {
  std::pair<std::vector<double>, std::vector<double>> errors;
  for (const std::size_t i : setting.results) {
    const TrialResult& result = results[i];
    if (result.failed() || !std::isfinite(result.validation_error)) continue;
    errors.first.push_back(result.validation_error);
    if (result.test_error) errors.second.push_back(*result.test_error);
  }
  return errors;
}

std::string epochs_text(const RankedSetting& setting) {
  if (setting.failed == 0) return fmt::format("{:.0f}", setting.epochs);
  return setting.results.size() == 1 ? "failed"
                                     : fmt::format("{} of {} failed", setting.failed, setting.results.size());
}

/// What the errors of several nets are; empty if no setting has several.
std::string nets_text(std::span<const RankedSetting> settings) {
  std::size_t least = 0;
  std::size_t most = 0;
  bool failed = false;
  for (const RankedSetting& setting : settings) {
    const std::size_t nets = setting.results.size();
    if (nets < 2) continue;
    least = least == 0 ? nets : std::min(least, nets);
    most = std::max(most, nets);
    failed = failed || setting.failed > 0;
  }
  if (most == 0) return "";
  const std::string nets = least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
  return fmt::format("errors with a range: median and range of {} nets{}\n", nets,
                     failed ? ", less those that failed; for a setting's place these count as worst" : "");
}

}  // namespace

std::string search_table(const SearchResult& summary, std::size_t rows) {
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
    const auto [validation, test] = errors_of(setting, summary.results);
    std::vector<std::string> row{
        fmt::format("{} {:.3g}", name_of(setting.trial.optimizer), setting.trial.step),
        name_of(setting.trial.norm), size_text(setting.trial.hidden), std::to_string(setting.parameters),
        errors_text(validation)};
    if (tested) row.push_back(errors_text(test));
    row.push_back(epochs_text(setting));
    table.add(row);
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
