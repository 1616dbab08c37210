#pragma once

#include "coppice/report/history.h"
#include "coppice/reproduce/training.h"

#include <vector>

// The run that the paper takes apart in its figures 4 and 5.
namespace coppice::reproduce {

constexpr double analysed_step = 10;

struct AnalysedRun {
  DataFiles data;
  TrainedNets nets;
  NetHistory history;

  const NetResult& net() const { return nets.summary.nets.front(); }
};

/// The paper's 3e-4.
double analysed_lambda(const Session& session);

/// Units are added for counts.epochs epochs, then as many epochs pass without.
AnalysedRun train_analysed(const Session& session);

/// What the journal of a run tells about its only net.
NetHistory history_of(const TrainedNets& nets);

/// What the two analysed figures share: batches and the paper's settings.
Flags analysed_flags(const Session& session);

/// Epochs that a unit lived; of those that were there from the start, since epoch 0.
std::vector<double> epochs_lived(const std::vector<Life>& lives, Fate fate);

/// What becomes of units born in the first and in the last part of the time in which units are added.
struct Survival {
  double early = 0;  ///< share of the units born in the first fifth that were there at the end
  double late = 0;   ///< the same of the last fifth
};
Survival survival_of(const std::vector<Life>& lives, std::size_t growing_epochs);

}  // namespace coppice::reproduce
