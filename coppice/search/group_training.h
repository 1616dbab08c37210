#pragma once

#include "coppice/api/device.h"
#include "coppice/device/threads.h"
#include "coppice/search/trials.h"
#include "coppice/training/population.h"
#include "coppice/training/trainer.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace coppice {

/// The options with the trial's size, optimizer, step and norm.
Options trial_options(const Options& base, const Trial& trial);

/// Trials that can be one population: one optimizer, one normalisation, as many layers.
struct TrialGroup {
  Options options;  ///< of its first trial; size and step matter when a net starts, not afterwards
  std::vector<std::size_t> trials;
};

/// Nets of a population. On a processor they wait for their turn and only take memory; a GPU is the faster the more
/// nets take a step together.
std::size_t most_together(Device device);

/// Takes a net that ended. One that diverged before it was ever validated has no model.
using Record = std::function<void(const TrialResult&, const std::optional<Model>&)>;

/// Trains one group and hands over what ends.
class GroupTraining final : public NetObserver {
 public:
  GroupTraining(ThreadPool& pool, const PreparedData& data, const TrialGroup& group,
                std::span<const Trial> trials, Record record, SearchObserver* observer);

  Device device() const { return device_.device; }
  /// At most `most` together; false if `stop` ended it.
  bool train(std::size_t& most, const std::function<bool()>& stop);

  void on_epoch(const NetRun& run, const EpochReport& report) override;
  bool reads_weights(const NetRun& run) const override { return !run.running(); }

 private:
  TrainingOptions training_options(const Options& options) const;
  NetRun start(std::size_t trial);
  void end(const NetRun& run);

  ThreadPool* pool_;
  const PreparedData* data_;
  const TrialGroup* group_;
  std::span<const Trial> trials_;
  Record record_;
  SearchObserver* observer_;
  ChosenDevice device_;
  Trainer trainer_;
};

}  // namespace coppice
