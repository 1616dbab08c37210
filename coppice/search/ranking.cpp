#include "coppice/search/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace coppice {

namespace {

/// Infinite, if the net diverged.
double or_infinite(const TrialResult& result, double value) {
  return !result.failed() && std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

/// What a result is ranked by.
double rank_of(const TrialResult& result) {
  return or_infinite(result, result.criterion);
}

void fill(RankedSetting& setting, std::span<const TrialResult> results) {
  std::vector<double> errors;
  std::vector<double> criteria;
  std::vector<double> tests;
  std::vector<double> epochs;
  for (const std::size_t i : setting.results) {
    const TrialResult& result = results[i];
    errors.push_back(or_infinite(result, result.validation_error));
    criteria.push_back(rank_of(result));
    epochs.push_back(static_cast<double>(result.epochs));
    setting.failed += result.failed() ? 1 : 0;
    if (!result.failed() && result.test_error) tests.push_back(*result.test_error);
  }
  setting.parameters = results[setting.results.front()].parameters;
  setting.validation_error = spread_of(std::move(errors));
  setting.criterion = spread_of(std::move(criteria));
  setting.epochs = spread_of(std::move(epochs)).median;
  if (!tests.empty()) setting.test_error = spread_of(std::move(tests));
}

}  // namespace

std::vector<RankedSetting> rank_settings(std::span<const TrialResult> results) {
  std::vector<RankedSetting> settings;
  std::map<Trial, std::size_t> index;  // of a setting, as its trial without a seed
  for (std::size_t i = 0; i < results.size(); ++i) {
    Trial setting = results[i].trial;
    setting.seed = 0;
    const auto [found, is_new] = index.try_emplace(std::move(setting), settings.size());
    if (is_new) {
      settings.push_back({.trial = results[i].trial,
                          .results = {},
                          .validation_error = {},
                          .criterion = {},
                          .test_error = {}});
    }
    settings[found->second].results.push_back(i);
  }
  for (RankedSetting& setting : settings) fill(setting, results);
  std::ranges::stable_sort(settings, {}, [](const RankedSetting& s) {
    return std::tuple(-static_cast<double>(s.results.size()), s.criterion.median, s.parameters);
  });
  return settings;
}

std::vector<Trial> rerun_trials(std::span<const RankedSetting> ranked, std::size_t top, std::size_t seeds,
                                std::uint64_t seed) {
  std::vector<Trial> trials;
  for (const RankedSetting& setting : ranked.first(std::min(top, ranked.size()))) {
    if (!std::isfinite(setting.criterion.median)) continue;
    for (std::size_t i = 1; i < seeds; ++i) {
      trials.push_back(setting.trial);
      trials.back().seed = seed + i;
    }
  }
  return trials;
}

std::optional<std::size_t> best_net(const RankedSetting& setting, std::span<const TrialResult> results) {
  const auto best =
      std::ranges::min_element(setting.results, {}, [&](std::size_t i) { return rank_of(results[i]); });
  if (!std::isfinite(rank_of(results[*best]))) return std::nullopt;
  return *best;
}

}  // namespace coppice
