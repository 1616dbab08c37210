#pragma once

#include "coppice/training/population.h"

#include "cli/status_line.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace coppice::cli {

/// Shows a population in training: one line that is redrawn on a terminal, a plain line now and then
/// elsewhere.
class Progress final : public Observer {
 public:
  /// `train_rows`: rows of one epoch, for rows/s. Options and time limit (seconds) bound the time to go.
  Progress(std::size_t nets, std::size_t train_rows, const TrainingOptions& options, double time_limit);

  void on_epoch(const NetRun& run, const EpochReport& report) override;
  bool reads_weights(const NetRun&) const override { return false; }

 private:
  /// How far one net is.
  struct Net {
    std::size_t epoch = 0;
    double to_go = 0;  ///< epochs that the protocol needs at least
    bool running = true;
    Phase phase = Phase::grow;
    double error = 0;
    std::vector<std::size_t> units;
  };

  std::string line() const;
  std::string leader_text() const;
  double seconds() const;

  std::vector<Net> nets_;
  std::size_t train_rows_;
  TrainingOptions options_;
  double time_limit_;
  std::size_t epochs_here_ = 0;  ///< trained since this process started
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  StatusLine status_;
};

}  // namespace coppice::cli
