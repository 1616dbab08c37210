#include "coppice/run/search_summary.h"

#include "coppice/core/names.h"
#include "coppice/run/layout.h"
#include "coppice/run/summary.h"
#include "coppice/search/settings.h"
#include "coppice/version.h"

#include <algorithm>

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

/// Negative numbers would be read as huge ones.
bool counts_are_counts(const nlohmann::json& line) {
  const auto is_count = [](const nlohmann::json& value) { return value.is_number_unsigned(); };
  const nlohmann::json& hidden = line.at("hidden");
  return is_count(line.at("seed")) && is_count(line.at("parameters")) && is_count(line.at("epochs")) &&
         hidden.is_array() && !hidden.empty() && std::ranges::all_of(hidden, is_count);
}

Json setting_json(const RankedSetting& setting, const SearchResult& summary) {
  Json seeds = Json::array();
  for (const std::size_t i : setting.results) seeds.push_back(summary.results[i].trial.seed);
  return {{"hidden", setting.trial.hidden},
          {"optimizer", name_of(setting.trial.optimizer)},
          {"step", setting.trial.step},
          {"norm", name_of(setting.trial.norm)},
          {"parameters", setting.parameters},
          {"seeds", seeds},
          {"failed", setting.failed},
          {"validation_error", spread_json(setting.validation_error)},
          {"criterion", spread_json(setting.criterion)},
          {"test_error", setting.test_error ? spread_json(*setting.test_error) : Json()},
          {"epochs", setting.epochs}};
}

}  // namespace

Json trial_json(const TrialResult& result) {
  const Trial& trial = result.trial;
  return {{"hidden", trial.hidden},
          {"optimizer", name_of(trial.optimizer)},
          {"step", trial.step},
          {"norm", name_of(trial.norm)},
          {"seed", trial.seed},
          {"parameters", result.parameters},
          {"validation_error", result.validation_error},
          {"criterion", result.criterion},
          {"test_error", or_null(result.test_error)},
          {"train_loss", result.train_loss},
          {"epochs", result.epochs},
          {"phase", result.phase}};
}

std::optional<TrialResult> parse_trial(const nlohmann::json& line) {
  try {
    const auto optimizer = from_name<OptimizerKind>(line.at("optimizer").get<std::string>());
    const auto norm = from_name<Norm>(line.at("norm").get<std::string>());
    if (!optimizer || !norm || !counts_are_counts(line)) return std::nullopt;
    TrialResult result{.trial = {.hidden = line.at("hidden"),
                                 .optimizer = *optimizer,
                                 .step = line.at("step"),
                                 .norm = *norm,
                                 .seed = line.at("seed")},
                       .parameters = line.at("parameters"),
                       .validation_error = number_or_nan(line.at("validation_error")),
                       .criterion = number_or_nan(line.contains("criterion") ? line["criterion"]
                                                                             : line.at("validation_error")),
                       .test_error = std::nullopt,
                       .train_loss = number_or_nan(line.at("train_loss")),
                       .epochs = line.at("epochs"),
                       .phase = line.at("phase")};
    if (!line.at("test_error").is_null()) result.test_error = line["test_error"].get<double>();
    return result;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

Json search_summary_json(const SearchResult& summary) {
  Json settings = Json::array();
  for (const RankedSetting& setting : summary.ranked) settings.push_back(setting_json(setting, summary));
  Json model;
  if (summary.again) {
    model = trial_json(*summary.again);
    model["file"] = layout::model;
  }
  return {{"kind", name_of(summary.kind)},
          {"nets", summary.results.size()},
          {"failed", std::ranges::count_if(summary.results, &TrialResult::failed)},
          {"settings", settings},
          {"model", model},
          {"task", name_of(summary.task)},
          {"version", version()}};
}

}  // namespace coppice
