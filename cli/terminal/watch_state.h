#pragma once

#include "coppice/run/journal.h"
#include "coppice/run/summary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice::cli {

/// One net as its events tell it.
struct WatchedNet {
  std::optional<double> lambda;
  std::optional<std::uint64_t> seed;
  Phase phase = Phase::grow;  ///< of the next epoch, or in which it ended
  std::size_t epoch = 0;
  std::vector<std::size_t> units;    ///< per hidden layer; after a rewind, of the state that came back
  double error = journal::unknown;   ///< the same
  double lowest = journal::unknown;  ///< error so far
  double waited = journal::unknown;  ///< epochs of this phase without success, and how many end it
  double patience = journal::unknown;
  double to_go = journal::unknown;  ///< epochs, at least
  std::size_t rewinds = 0;
  bool ended = false;
  std::vector<double> errors;  ///< of every epoch
  std::vector<double> sizes;   ///< units in all, after every epoch
  std::vector<Phase> phases;
  std::vector<std::vector<std::size_t>> units_of_epoch;

  bool running() const { return epoch > 0 && !ended; }
};

/// What a run directory says, put together bit by bit while the run goes on: no files in here.
class WatchState {
 public:
  /// `config`: of the run, any JSON.
  explicit WatchState(const nlohmann::json& config);

  void add(const journal::Event& event);
  /// Forgets the journal: it begins anew.
  void restart();
  void finish(Summary summary) { summary_ = std::move(summary); }
  void unfinish() { summary_.reset(); }

  const std::vector<WatchedNet>& nets() const { return nets_; }
  const std::optional<Summary>& summary() const { return summary_; }
  std::size_t running() const;
  bool all_ended() const;
  double seconds() const { return summary_ ? summary_->seconds : seconds_; }
  /// Until all nets that are known have ended: at least so many seconds, if they train on at the pace so far. NaN: not
  /// known.
  double seconds_to_go() const;
  Task task() const { return task_; }
  const std::string& data() const { return data_; }
  const std::string& target() const { return target_; }
  const std::string& device() const { return device_; }

 private:
  void take(const journal::Start& start);
  void take(const journal::Epoch& epoch);
  void take(const journal::Rewind& rewind);
  void take(const journal::End& end);
  void take(const journal::UnitChange&) {}
  void take(const journal::Lengths&) {}
  WatchedNet& net(std::size_t id);
  WatchedNet fresh(std::size_t id) const;

  std::vector<double> lambdas_;
  std::uint64_t seed_ = 0;
  std::size_t seeds_ = 1;
  Task task_ = Task::classification;
  std::string data_;
  std::string target_;
  std::string device_;
  std::vector<WatchedNet> nets_;
  std::optional<Summary> summary_;
  double seconds_ = 0;
};

}  // namespace coppice::cli
