#pragma once

#include "coppice/core/spread.h"
#include "coppice/reproduce/training.h"
#include "coppice/search/space.h"
#include "coppice/search/trials.h"

#include <string>
#include <vector>

namespace coppice::reproduce {

/// Nets of fixed size on one data set. All their results lie in one file of the work folder, so that nothing is trained
/// twice and a killed call goes on.
class Parametric {
 public:
  /// `flags`: what all of them share beside the data.
  Parametric(const Session& session, const DataFiles& data, const Flags& flags);

  /// The results in the order of the trials; Interrupted if the user ended it. `what` is said while it goes on.
  std::vector<TrialResult> train(const std::vector<Trial>& trials, const std::string& what);

  const PreparedData& prepared() const { return data_; }
  /// How all of these results came to be.
  Origin origin() const;

 private:
  void note_device();
  void write_made() const;

  const Session* session_;
  std::string name_;
  std::string command_;
  RunOptions options_;
  PreparedData data_;
  std::size_t seeds_ = 1;  ///< from 0 on, of all trials so far
  std::string made_path_;  ///< keeps what follows from call to call
  std::string device_;
  std::string precision_;
  double seconds_ = 0;
};

/// Flags of nets of fixed size: the paper's protocol, or little patience.
Flags parametric_flags(const Counts& counts, const DataFiles& data);

/// A setting with the results of all its seeds.
struct Setting {
  Trial trial;  ///< with the first seed
  std::size_t parameters = 0;
  Spread validation;
  Spread test;  ///< of nets that did not diverge; all 1 if every one did
  std::vector<TrialResult> runs;
};

/// The settings of some results, best first (rank_settings).
std::vector<Setting> settings_of(const std::vector<TrialResult>& results);

/// Of each list of results the best `best`, trained with `seeds` seeds, all lists side by side; per list the lowest median
/// validation error first.
std::vector<std::vector<Setting>> rerun_best(Parametric& nets,
                                             const std::vector<std::vector<TrialResult>>& lists,
                                             std::size_t best, std::size_t seeds, const std::string& what);

/// Of the settings to show, the first: the best; then the best of the smaller ones, and the smallest.
std::vector<Setting> two_or_three(const std::vector<Setting>& settings);

}  // namespace coppice::reproduce
