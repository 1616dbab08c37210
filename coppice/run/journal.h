#pragma once

#include "coppice/device/gpu.h"
#include "coppice/run/plan.h"
#include "coppice/training/population.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace coppice {

/// Appends what happens to a journal, one JSON object per line (docs/run-directory.md).
class Journal final : public Observer {
 public:
  /// `earlier`: seconds that the run took before, in other sittings.
  explicit Journal(const std::string& path, double earlier = 0);
  /// A net is about to begin, on this device.
  void start(const NetRun& run, const PlannedNet& planned, Device device);
  void on_epoch(const NetRun& run, const EpochReport& report) override;
  bool reads_weights(const NetRun&) const override { return false; }

 private:
  void write(const std::string& lines);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  double earlier_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The events of one epoch as lines.
std::string journal_lines(const NetRun& run, const EpochReport& report, double seconds);

/// Makes a journal end where the checkpoints do: drops events of net i after epoch last_epoch[i], and a
/// broken last line. Returns what stays.
struct JournalRest {
  double seconds = 0;       ///< that its epochs took
  std::size_t started = 0;  ///< nets whose beginning it tells
};
JournalRest truncate_journal(const std::string& path, const std::vector<std::size_t>& last_epoch);

}  // namespace coppice
