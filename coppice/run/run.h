#pragma once

#include "coppice/api/training.h"
#include "coppice/core/directory_lock.h"
#include "coppice/run/files.h"
#include "coppice/run/run_options.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// A training in a directory: config.json, journal.jsonl, checkpoints/, net-*.coppice, model.coppice, analysis.json,
/// summary.json around the same nets. As long as it lives, no other one can be in that directory.
class Run {
 public:
  /// A new run. Reads the data, or takes the table in the options, then creates the directory; fails if it already holds a run. `stop` may end the reading,
  /// with an error of kind interrupted.
  static Run create(RunOptions options, std::string directory, std::function<bool()> stop = {});
  /// A run to be continued: its own configuration, with `change` applied. Fails if that changes what shapes the result,
  /// or if the data is not the same. Where that lies in memory, `change` hands it in again.
  static Run resume(const std::string& directory, const std::function<void(RunOptions&)>& change,
                    std::function<bool()> stop = {});

  /// The run whose nets others trained: shards of it (shard.h), by their directories. Fails, and writes nothing, unless all nets
  /// are at their end; finish() writes what one process would have. `change` as for resume.
  static Run merge(const std::vector<std::string>& shards, std::string directory,
                   const std::function<void(RunOptions&)>& change, std::function<bool()> stop = {});

  const std::string& directory() const { return directory_; }
  const RunOptions& options() const { return options_; }
  const Training& training() const { return *training_; }
  /// Who holds the rows where `rows-over-ranks` is on; before train().
  void set_team(std::unique_ptr<RowTeam> team) { training_->set_team(std::move(team)); }
  /// Stands for the settings that shape the result and for the data, in checkpoints.
  std::uint32_t fingerprint() const { return fingerprint_; }
  const nlohmann::json& checksums() const { return checksums_; }  ///< of all data

  /// Trains all nets; checkpoints and journals on the way. False if `stop` ended it: then the run can be resumed.
  /// `observer` may be null. GpuOutOfMemory leaves checkpoints. A crew that cannot go on ends it too; what it brought from
  /// elsewhere is not written again.
  bool train(Observer* observer, Crew* crew = nullptr);

  /// Writes the models, analysis.json and summary.json. The model is the net that the options pick; none if no
  /// net fits the budget. Where the options ask for it the training is repeated, in memory; `observer`, which may be null, is told so.
  Result finish(Observer* observer = nullptr);

 private:
  Run(RunOptions options, std::string directory, std::function<bool()> stop);
  void read(const nlohmann::json* known_checksums);
  void begin(const std::function<void(NetRun&)>& restore);
  /// Makes the directory, which must be new, and writes the configuration.
  void claim();
  std::string path(const std::string& name) const;
  std::string checkpoint_path(std::size_t net) const;
  void restore(NetRun& run) const;
  void write_checkpoint(const NetRun& run) const;
  void write_models(Result& result) const;

  RunOptions options_;
  std::string directory_;
  std::function<bool()> stop_;
  DirectoryLock lock_;
  nlohmann::json checksums_;  ///< of all data, to tell whether a run resumes with the same data
  std::uint32_t fingerprint_ = 0;
  std::unique_ptr<Training> training_;
  std::optional<FilesRead> repeated_;  ///< what a repeated training trains on
  bool begun_ = false;
  double seconds_ = 0;  ///< of training, in all sittings
};

}  // namespace coppice
