#pragma once

#include "coppice/core/directory_lock.h"
#include "coppice/run/run_options.h"
#include "coppice/search/search_training.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

namespace coppice {

/// Everything a user can say about a search in a directory.
struct SearchRunOptions {
  SearchSpace space;
  RunOptions run;  ///< what all trials share
};

/// The options that search.json, or the like of it, tells of. `file` is where that came from.
SearchRunOptions search_options(const nlohmann::json& config, const std::string& file);

/// A search in its directory: search.json, results.jsonl, summary.json, model.coppice. As long as it lives, no other
/// one can be in that directory.
class SearchRun {
 public:
  /// A new search. Reads the data, then creates the directory; fails if it is in use. `stop` may end the reading, with an
  /// error of kind interrupted.
  static SearchRun create(SearchRunOptions options, std::string directory, std::function<bool()> stop = {});
  /// A search to be continued, with `change` applied to its options. Fails if that changes what shapes results, or
  /// if the data is not the same; trials, reruns and top may change.
  static SearchRun resume(const std::string& directory, const std::function<void(SearchRunOptions&)>& change,
                          std::function<bool()> stop = {});

  const std::string& directory() const { return directory_; }
  const SearchRunOptions& options() const { return options_; }
  const SearchTraining& training() const { return *training_; }

  /// Stands for the settings that shape results and for the data.
  std::uint32_t fingerprint() const;
  /// What search.json holds.
  nlohmann::json configuration() const;

  /// Trains all that is missing, or a crew does. False if `stop` ended it: then the search can be resumed.
  bool train(SearchObserver* observer, TrialCrew* crew = nullptr);

  /// Writes summary.json and model.coppice; the model is left out if every net diverged.
  SearchResult finish() const;

 private:
  SearchRun(SearchRunOptions options, std::string directory, std::function<bool()> stop);
  void read(const nlohmann::json* known_checksums);
  std::string path(const std::string& name) const;

  SearchRunOptions options_;
  std::string directory_;
  std::function<bool()> stop_;
  DirectoryLock lock_;
  nlohmann::json checksums_;
  std::unique_ptr<SearchTraining> training_;
};

}  // namespace coppice
