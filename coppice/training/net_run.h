#pragma once

#include "coppice/network/network.h"
#include "coppice/training/optimizer.h"
#include "coppice/training/protocol.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// What a rewind brings back.
struct NetState {
  Network<float> network;
  OptimizerState optimizer;
  std::size_t epoch = 0;  ///< the epoch after which this was the state
  double train_loss = std::numeric_limits<double>::quiet_NaN();
  double validation_error = std::numeric_limits<double>::quiet_NaN();

  bool operator==(const NetState&) const = default;
};

/// Everything there is to know about one net in training: copy it, write it, compare it, go on with it.
struct NetRun {
  std::size_t id = 0;
  double lambda = 0;
  std::uint64_t seed = 0;
  NetState current;
  NetState kept;
  Protocol protocol;
  std::size_t epoch = 0;        ///< epochs begun and finished; never rewound, so no batch order comes twice
  std::size_t steps = 0;        ///< iterations, never rewound
  std::uint32_t next_unit = 0;  ///< id of the next unit to be born, in any layer
  bool stopped = false;         ///< by max-epochs or max-steps

  bool running() const { return protocol.running() && !stopped; }
};

/// A unit that came or went.
struct UnitEvent {
  std::uint32_t unit = 0;
  std::size_t layer = 0;  ///< 0 is the first hidden layer
};

/// Lengths of fan-in and fan-out of one unit.
struct UnitLengths {
  std::uint32_t unit = 0;
  std::size_t layer = 0;
  double fan_in = 0;
  double fan_out = 0;
};

/// All that happened in one epoch of one net; observers get it after the epoch, never a part of it.
struct EpochReport {
  std::size_t net = 0;
  std::size_t epoch = 0;
  std::size_t steps = 0;
  Phase phase = Phase::grow;  ///< in which the epoch was trained
  double train_loss = 0;
  double validation_error = 0;
  double step = 0;
  std::string_view step_name = "step";  ///< what the step is: see step_name() in schedule.h
  double lambda = 0;
  std::vector<std::size_t> hidden_units;  ///< after the epoch, before any rewind
  std::vector<UnitEvent> born;
  std::vector<UnitEvent> died;
  std::vector<UnitLengths> lengths;       ///< empty unless this epoch is one of the regular intervals
  std::optional<std::size_t> rewound_to;  ///< the epoch whose state came back
  Phase next_phase = Phase::grow;
  std::vector<UnitEvent> unlearned;  ///< removed at the very end, from a net no better than the base rate
};

}  // namespace coppice
