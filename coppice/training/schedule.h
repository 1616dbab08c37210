#pragma once

#include "coppice/device/step_sizes.h"
#include "coppice/training/net_run.h"
#include "coppice/training/options.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// What an epoch consists of, known before it begins: the same on every device.
namespace coppice {

std::size_t steps_per_epoch(std::size_t rows, const TrainingOptions& options);

/// Steps of the net's next epoch: not all where the protocol validates more often or max_steps ends the run.
std::size_t next_steps(const NetRun& run, std::size_t rows, const TrainingOptions& options);

/// Position and size of a step's batch in the epoch's order. Batches differ by at most one row, so that no
/// CapNorm sees a tiny rest of the data.
struct Batch {
  std::size_t first = 0;
  std::size_t count = 0;
};
Batch batch_at(std::size_t step, std::size_t rows, const TrainingOptions& options);

/// The rows in the order in which the epoch visits them.
std::vector<std::uint32_t> batch_order(std::uint64_t seed, std::size_t epoch,
                                       std::span<const std::uint32_t> rows);

/// How many additions are due when iteration `step` (counted from 0, over all epochs) ends.
std::size_t additions_due(std::size_t step, std::size_t steps_per_epoch, double additions_per_epoch);

/// How many units an addition gives a hidden layer; `addition` counts those of the same iteration.
std::size_t units_added(const TrainingOptions& options, std::uint64_t seed, std::size_t step,
                        std::size_t addition, std::size_t layers, std::size_t layer);

/// alpha_r of a net.
double radial_step(const TrainingOptions& options, double lambda);

/// The step that the protocol begins with and anneals: the angle, alpha_phi, or the step of an optimizer without
/// angles. One that was not given makes a useless new unit live for unit_lifetime epochs; where no units come and go
/// (lambda 0) it is 0.001 of normalised gradients and 0.1 of the mean gradient of a batch, whose gradients are scaled
/// by 1/n.
double first_step(const TrainingOptions& options, double lambda, std::size_t rows);

/// What that step is: "angle", "angular_step" or "step".
std::string_view step_name(const TrainingOptions& options);

/// Epochs that a unit of length 1 lives without a useful gradient.
double living_time(const TrainingOptions& options, double lambda, std::size_t rows);

/// The fewest epochs that the net still trains: what the protocol needs, or fewer where max_epochs or max_steps end it.
double epochs_to_go(const NetRun& run, const TrainingOptions& options);

/// Step sizes for a batch of so many of the net's training rows.
StepSizes step_sizes(const NetRun& run, const TrainingOptions& options, double batch, double rows);

}  // namespace coppice
