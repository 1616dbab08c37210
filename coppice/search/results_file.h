#pragma once

#include "coppice/search/trial.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace coppice {

/// The results of a search, one JSON object per line, in the order in which nets ended. Every line carries the
/// fingerprint of what all trials share, so that results of different searches never mix.
class ResultsFile {
 public:
  /// Reads what is there; a last line that was cut off is dropped. Fails, and changes nothing, if the file holds
  /// anything else than results of this fingerprint.
  ResultsFile(std::string path, std::uint32_t fingerprint);

  const std::vector<TrialResult>& results() const { return results_; }
  /// The result of this trial, or null.
  const TrialResult* find(const Trial& trial) const;
  void append(TrialResult result);

 private:
  void add(TrialResult result);

  std::string path_;
  std::string fingerprint_;
  std::vector<TrialResult> results_;
  std::map<Trial, std::size_t> index_;  ///< of results_
};

}  // namespace coppice
