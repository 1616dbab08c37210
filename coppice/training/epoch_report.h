#pragma once

#include "coppice/core/choices.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace coppice {

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

/// What the steps of an epoch did to the units of a layer.
struct LayerSteps {
  std::size_t unit_steps = 0;  ///< of all its units together
  std::size_t flips = 0;       ///< that turned a fan-in around: the radial factor was negative
  std::size_t held = 0;        ///< whose radial factor was kept within the trust region
  double mean_angle = 0;       ///< radians
};

/// All that happened in one epoch of one net; observers get it after the epoch, never a part of it.
struct EpochReport {
  std::size_t net = 0;
  std::size_t epoch = 0;
  std::size_t steps = 0;
  Phase phase = Phase::grow;  ///< in which the epoch was trained
  double train_loss = 0;
  double validation_error = 0;
  double criterion = 0;  ///< what the protocol goes by: that error, or the log-loss
  double step = 0;
  std::string_view step_name = "step";  ///< what the step is: see step_name() in schedule.h
  double lambda = 0;
  std::vector<std::size_t> hidden_units;  ///< after the epoch, before any rewind
  std::vector<UnitEvent> born;
  std::vector<UnitEvent> died;
  std::vector<UnitLengths> lengths;       ///< empty unless this epoch is one of the regular intervals
  std::vector<LayerSteps> layer_steps;    ///< of optimizers that turn fan-ins; the output layer is the last
  std::optional<std::size_t> rewound_to;  ///< the epoch whose state came back
  // How the protocol goes on: the phase of the next epoch, how much of its patience is used, the fewest epochs to come.
  Phase next_phase = Phase::grow;
  bool running = true;    ///< false: this was the net's last epoch
  double kept_error = 0;  ///< validation error of the state to rewind to
  double lowest = 0;      ///< error so far; where the criterion is another, that of the best state
  double waited = 0;
  double patience = 0;
  double to_go = 0;
  std::vector<UnitEvent> unlearned;  ///< removed at the very end, from a net no better than the base rate
};

}  // namespace coppice
