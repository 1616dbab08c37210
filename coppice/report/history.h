#pragma once

#include "coppice/report/lives.h"

#include <cstddef>
#include <string>
#include <vector>

namespace coppice {

struct EpochRow {
  std::size_t epoch = 0;
  std::string phase;
  double train_loss = 0;
  double validation_error = 0;
  std::vector<std::size_t> hidden_units;
};

/// Lengths of a layer's units at one moment.
struct LengthsRow {
  std::size_t epoch = 0;
  std::size_t layer = 0;
  std::vector<std::size_t> units;
  std::vector<double> fan_in;
  std::vector<double> fan_out;
};

/// After `epoch` the state of `to_epoch` came back: the epochs between brought nothing.
struct Rewind {
  std::size_t epoch = 0;
  std::size_t to_epoch = 0;
};

/// Epochs [from, to] that belong together.
struct Stretch {
  std::size_t from = 0;
  std::size_t to = 0;
  std::string name;
};

/// What the journal tells about one net.
struct NetHistory {
  std::vector<EpochRow> epochs;
  std::vector<LengthsRow> lengths;
  std::vector<Rewind> rewinds;
  Lives lives;

  std::size_t last_epoch() const { return epochs.empty() ? 0 : epochs.back().epoch; }
  std::vector<Stretch> phases() const;
  /// The epochs that rewinds took back, joined where they touch.
  std::vector<Stretch> taken_back() const;
};

/// The journal of the nets with these ids, in their order. A line that was cut off by a crash is passed over; a file
/// that holds lines but no event is an Error.
std::vector<NetHistory> read_journal(const std::string& path, const std::vector<std::size_t>& ids);

}  // namespace coppice
