#pragma once

#include "coppice/core/spread.h"
#include "coppice/search/trial.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coppice {

/// Trials that differ in nothing but their seeds.
struct RankedSetting {
  Trial trial;                       ///< the first of them
  std::vector<std::size_t> results;  ///< indices
  std::size_t parameters = 0;
  std::size_t failed = 0;            ///< how many diverged
  Spread validation_error;           ///< those that diverged are worse than any: infinite
  Spread criterion;                  ///< the same of what the metric is
  std::optional<Spread> test_error;  ///< of those that did not diverge
  double epochs = 0;                 ///< median
};

/// The settings, best first: by median criterion, then by fewer parameters, then as they come. Settings that were
/// trained with more seeds come first: they were the best before that.
std::vector<RankedSetting> rank_settings(std::span<const TrialResult> results);

/// What the best settings lack of `seeds` nets each, with seeds seed, seed+1, ..., the first of which they have. Settings that
/// mostly diverged are left out.
std::vector<Trial> rerun_trials(std::span<const RankedSetting> ranked, std::size_t top, std::size_t seeds,
                                std::uint64_t seed);

/// Index of the net of this setting with the lowest criterion; none if all diverged.
std::optional<std::size_t> best_net(const RankedSetting& setting, std::span<const TrialResult> results);

}  // namespace coppice
