#pragma once

#include "coppice/training/net_run.h"
#include "coppice/training/options.h"

#include <cstddef>

namespace coppice {

/// Removes units that a step has shrunk to zero, before the next iteration, and tells the optimizer.
void bury(ThreadPool& pool, NetRun& run, const DeadUnits& dead, const Optimizer<float>& optimizer,
          EpochReport& report);

/// Fails if the net and its copies cannot fit into so many bytes: one that grows faster than its units die would take all.
void require_room(const Network<float>& network, double memory);

/// Adds units to every hidden layer, from the last to the first: random fan-in, zero fan-out, zero state. Where fan-outs
/// are penalised it is the other way round: from the first to the last, zero fan-in, random fan-out. `addition` counts those of the same iteration.
void grow(NetRun& run, const TrainingOptions& options, std::size_t addition, EpochReport& report);

}  // namespace coppice
