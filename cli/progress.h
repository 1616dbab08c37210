#pragma once

#include "coppice/api/result.h"

#include "cli/terminal/status_line.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace coppice::cli {

/// Shows a population in training: one line that is redrawn on a terminal, a plain line now and then
/// elsewhere.
class Progress final : public Observer {
 public:
  explicit Progress(const TrainingInfo& info) : nets_(info.nets), info_(info) {}

  void on_epoch(const EpochReport& report) override;
  void on_note(const std::string& note) override;

 private:
  /// How far one net is.
  struct Net {
    std::size_t epoch = 0;
    double to_go = 0;  ///< epochs at least
    bool running = true;
    Phase phase = Phase::grow;
    double error = 0;
    std::vector<std::size_t> units;
  };

  std::string line() const;
  std::string leader_text() const;
  double seconds() const;

  std::vector<Net> nets_;
  TrainingInfo info_;
  std::size_t epochs_here_ = 0;  ///< trained since this process started
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  StatusLine status_;
};

}  // namespace coppice::cli
