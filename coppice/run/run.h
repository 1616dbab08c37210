#pragma once

#include "coppice/core/directory_lock.h"
#include "coppice/run/device.h"
#include "coppice/run/plan.h"
#include "coppice/run/prepare.h"
#include "coppice/run/settings.h"
#include "coppice/run/summary.h"
#include "coppice/training/population.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// A run in its directory: config.json, journal.jsonl, checkpoints/, net-*.coppice, model.coppice,
/// analysis.json, summary.json. As long as it lives, no other one can be in that directory.
class Run {
 public:
  /// A new run. Reads the data, then creates the directory; fails if it already holds a run.
  static Run create(RunOptions options, std::string directory);
  /// A run to be continued: its own configuration, with `changed` settings on top. Fails if one of them
  /// shapes the result and differs, or if the data is not the same.
  static Run resume(const std::string& directory, const std::function<void(RunOptions&)>& change);

  const std::string& directory() const { return directory_; }
  const RunOptions& options() const { return options_; }
  const PreparedData& data() const { return data_; }
  const ChosenDevice& device() const { return device_; }
  Precision precision() const { return choose_precision(options_, device_.device, data_.encoding.format); }
  /// The lambdas it begins with: the user's, or a path.
  const std::vector<double>& lambdas() const { return lambdas_; }
  /// Nets it begins with; a path or a budget may add some.
  std::size_t nets() const { return lambdas_.size() * options_.seeds; }

  /// Trains all nets; checkpoints and journals on the way. False if `stop` ended it: then the run can be
  /// resumed. `observer` sees every epoch; it may be null. GpuOutOfMemory leaves checkpoints.
  bool train(Observer* observer, const std::function<bool()>& stop);

  /// Computes on the CPU from now on; a run whose training failed with GpuOutOfMemory can then go on.
  void leave_gpu();

  /// Writes the models, analysis.json and summary.json. The model is the net that the options pick; none if no
  /// net fits the budget.
  Summary finish() const;

 private:
  Run(RunOptions options, std::string directory, DirectoryLock lock, PreparedData data);
  PlanOptions plan_options() const;
  std::vector<PlannedNet> next_round() const;
  void begin_round(const Trainer& trainer, const std::vector<PlannedNet>& planned);
  const NetState& kept_state(const NetRun& run) const;
  std::string path(const std::string& name) const;
  TrainingOptions training_options() const;
  std::string checkpoint_path(std::size_t net) const;
  void write_checkpoint(const NetRun& run) const;
  std::uint32_t fingerprint() const;
  /// analysis.json, of the net with this index.
  void write_analysis(ThreadPool& pool, std::size_t net) const;

  RunOptions options_;
  std::string directory_;
  DirectoryLock lock_;
  PreparedData data_;
  ChosenDevice device_;
  std::vector<double> lambdas_;
  std::vector<PlannedNet> planned_;  ///< one per net
  std::vector<NetRun> runs_;
  double seconds_ = 0;  ///< of training, in all sittings
};

/// Number of threads that the options ask for.
std::size_t thread_count(const RunOptions& options);

/// The version of the program.
std::string version();

}  // namespace coppice
