#pragma once

#include "coppice/core/directory_lock.h"
#include "coppice/run/prepare.h"
#include "coppice/search/options.h"
#include "coppice/search/summary.h"
#include "coppice/search/trials.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coppice {

/// A search in its directory: search.json, results.jsonl, summary.json, model.coppice. As long as it lives, no other
/// one can be in that directory.
class Search {
 public:
  /// A new search. Reads the data, then creates the directory; fails if it is in use.
  static Search create(SearchOptions options, std::string directory);
  /// A search to be continued, with `change` applied to its options. Fails if that changes what shapes results, or
  /// if the data is not the same; trials, reruns and top may change.
  static Search resume(const std::string& directory, const std::function<void(SearchOptions&)>& change);

  const std::string& directory() const { return directory_; }
  const SearchOptions& options() const { return options_; }
  const PreparedData& data() const { return data_; }
  /// What it tries, before any reruns.
  std::vector<Trial> trials() const;
  /// Where its nets are trained and what their products round to: "on the CPU, products in fp32".
  const std::string& device_text() const { return device_text_; }

  /// Trains all trials, reruns the best settings, and trains the net that becomes the model once more. False if
  /// `stop` ended it: then the search can be resumed.
  bool train(TrialObserver* observer, const std::function<bool()>& stop);

  /// Computes on the CPU from now on.
  void leave_gpu();

  /// Writes summary.json and model.coppice; the model is left out if every net diverged.
  SearchSummary finish() const;

 private:
  Search(SearchOptions options, std::string directory, DirectoryLock lock, PreparedData data);
  std::string find_device() const;
  std::string path(const std::string& name) const;

  SearchOptions options_;
  std::string directory_;
  DirectoryLock lock_;
  PreparedData data_;
  std::string device_text_;
  std::vector<TrialResult> results_;
  std::vector<RankedSetting> ranked_;
  std::optional<std::size_t> chosen_;  ///< the result that becomes the model
  std::optional<TrainedTrial> model_;
};

}  // namespace coppice
