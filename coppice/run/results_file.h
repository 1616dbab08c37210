#pragma once

#include "coppice/search/trials.h"

#include <cstdint>
#include <span>
#include <string>

namespace coppice {

/// The results of a search, one JSON object per line, in the order in which nets ended until all have. Every line carries the
/// fingerprint of what all trials share, so that results of different searches never mix, and a checksum of itself.
class ResultsFile final : public TrialResults {
 public:
  /// Reads what is there; a last line that was cut off is dropped. Fails, and changes nothing, if the file holds
  /// anything else than results of this fingerprint.
  ResultsFile(std::string path, std::uint32_t fingerprint);

  void append(TrialResult result) override;

  /// Puts the lines of these first, in this order, those of other trials behind them: then the file does not tell who was
  /// trained by whom and when.
  void put_in_order(std::span<const TrialResult> first) const;

 private:
  std::string line_of(const TrialResult& result) const;

  std::string path_;
  std::string fingerprint_;
};

}  // namespace coppice
