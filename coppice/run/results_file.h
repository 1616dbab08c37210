#pragma once

#include "coppice/search/trials.h"

#include <cstdint>
#include <string>

namespace coppice {

/// The results of a search, one JSON object per line, in the order in which nets ended. Every line carries the
/// fingerprint of what all trials share, so that results of different searches never mix.
class ResultsFile final : public TrialResults {
 public:
  /// Reads what is there; a last line that was cut off is dropped. Fails, and changes nothing, if the file holds
  /// anything else than results of this fingerprint.
  ResultsFile(std::string path, std::uint32_t fingerprint);

  void append(TrialResult result) override;

 private:
  std::string path_;
  std::string fingerprint_;
};

}  // namespace coppice
