#pragma once

#include "coppice/search/search.h"

#include "cli/terminal/status_line.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace coppice::cli {

/// Shows how far a search is: nets that ended, the best of them, the time to go.
class SearchProgress final : public SearchObserver {
 public:
  explicit SearchProgress(const SearchInfo& info);

  void on_begin(std::span<const Trial> trials, std::size_t known) override;
  void on_epoch(const EpochReport& report) override;
  void on_result(const TrialResult& result) override;
  void on_note(const std::string& note) override;

 private:
  struct Net {
    double weights = 0;  ///< what an epoch costs, about
    double epochs = 0;
    bool ended = false;
  };
  std::string line() const;

  Task task_;
  std::size_t inputs_;
  std::size_t outputs_;
  double fewest_epochs_;  ///< that the protocol takes
  std::vector<Net> nets_;
  std::size_t known_ = 0;
  std::size_t ended_ = 0;
  double epochs_of_ended_ = 0;
  std::optional<TrialResult> best_;
  StatusLine status_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace coppice::cli
