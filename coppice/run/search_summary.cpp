#include "coppice/run/search_summary.h"

#include "coppice/core/names.h"
#include "coppice/run/layout.h"
#include "coppice/run/trial_json.h"
#include "coppice/search/settings.h"
#include "coppice/version.h"

#include <algorithm>

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

Json spread_json(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
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
          {"test_error", setting.test_error ? spread_json(*setting.test_error) : Json()},
          {"epochs", setting.epochs}};
}

}  // namespace

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
