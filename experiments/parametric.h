#pragma once

#include "coppice/core/spread.h"

#include "experiments/training.h"

#include <mutex>
#include <string>
#include <vector>

namespace coppice::experiments {

/// A setting with the results of all its seeds.
struct TriedSetting {
  Trial trial = {};  ///< with the first seed
  std::size_t parameters = 0;
  Spread validation = {};
  Spread test = {};  ///< of nets that did not diverge; all 1 if every one did
  std::vector<TrialResult> runs = {};
};

/// What a search came to.
struct Tried {
  std::vector<TrialResult> first;      ///< of every setting one net, in the order of the space
  std::vector<TriedSetting> settings;  ///< those that were trained again, best first
};

/// Searches among nets of fixed size on one data set, each in a folder of its own below the work folder. Several may go on at
/// once.
class Parametric {
 public:
  /// `flags`: what all of them share beside the data.
  Parametric(const Session& session, const DataFiles& data, const Flags& flags);

  /// Interrupted if the user ended it. `what` names it: "same size 186-43".
  Tried search(const std::string& what, const SearchSpace& space);

  /// How all of these results came to be.
  Provenance provenance() const;

 private:
  void add(const Provenance& made, std::size_t seeds);

  const Session* session_;
  DataFiles data_;
  Flags flags_;
  std::string folder_;
  mutable std::mutex mutex_ = {};  ///< of what follows
  std::size_t seeds_ = 1;          ///< from 0 on, of all searches so far
  Provenance made_;
};

/// Flags of nets of fixed size: the paper's protocol, or little patience.
Flags parametric_flags(const Counts& counts, const DataFiles& data);

/// The results in the order of the trials, then the others by their settings and seeds.
std::vector<TrialResult> ordered(std::vector<TrialResult> results, const std::vector<Trial>& trials);

/// The settings of some results, best first (rank_settings).
std::vector<TriedSetting> settings_of(const std::vector<TrialResult>& results);

/// Of the settings to show, the first: the best; then the best of the smaller ones, and the smallest.
std::vector<TriedSetting> two_or_three(const std::vector<TriedSetting>& settings);

}  // namespace coppice::experiments
