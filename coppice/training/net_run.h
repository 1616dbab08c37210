#pragma once

#include "coppice/network/network.h"
#include "coppice/training/epoch_report.h"
#include "coppice/training/optimizer.h"
#include "coppice/training/protocol.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace coppice {

/// What a rewind brings back.
struct NetState {
  Network<float> network;
  OptimizerState optimizer;
  std::size_t epoch = 0;  ///< the epoch after which this was the state
  double train_loss = std::numeric_limits<double>::quiet_NaN();
  double validation_error = std::numeric_limits<double>::quiet_NaN();
  double criterion = std::numeric_limits<double>::quiet_NaN();  ///< what the protocol goes by: see Metric

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

}  // namespace coppice
