#pragma once

#include "coppice/report/lives.h"
#include "coppice/run/journal.h"

#include <cstddef>
#include <string>
#include <vector>

namespace coppice {

using EpochRow = journal::Epoch;
using LengthsRow = journal::Lengths;

/// Epochs [from, to].
struct Stretch {
  std::size_t from = 0;
  std::size_t to = 0;
  Phase phase = Phase::grow;  ///< that they belong to
};

/// What the journal tells about one net.
struct NetHistory {
  std::vector<EpochRow> epochs;
  std::vector<LengthsRow> lengths;
  std::vector<journal::Rewind> rewinds;
  Lives lives;

  std::size_t last_epoch() const { return epochs.empty() ? 0 : epochs.back().epoch; }
  std::vector<Stretch> phases() const;
  /// The epochs that rewinds took back, joined where they touch; their phases are not told.
  std::vector<Stretch> taken_back() const;
};

/// The journal of the nets with these ids, in their order. A file that holds lines but no event is an Error.
std::vector<NetHistory> read_journal(const std::string& path, const std::vector<std::size_t>& ids);

}  // namespace coppice
