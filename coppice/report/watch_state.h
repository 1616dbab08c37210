#pragma once

#include "coppice/run/summary.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// One net as its events tell it.
struct WatchedNet {
  std::optional<double> lambda;
  std::optional<std::uint64_t> seed;
  std::string phase;  ///< empty before the first epoch
  std::size_t epoch = 0;
  std::vector<std::size_t> units;  ///< per hidden layer; after a rewind, of the state that came back
  double error = std::numeric_limits<double>::quiet_NaN();  ///< the same
  double lowest = std::numeric_limits<double>::quiet_NaN();
  std::size_t waited = 0;  ///< epochs of this phase since something was gained
  std::size_t rewinds = 0;
  bool ended = false;
  std::vector<double> errors;  ///< of every epoch
  std::vector<double> sizes;   ///< units in all, after every epoch
  std::vector<std::string> phases;
  std::vector<std::vector<std::size_t>> units_of_epoch;

  bool running() const { return epoch > 0 && !ended; }
};

/// What a run directory says, put together bit by bit while the run goes on: no files in here.
class WatchState {
 public:
  /// `config`: of the run, any JSON.
  explicit WatchState(const nlohmann::json& config);

  /// Takes one line of the journal; what is no event of a net is passed over.
  void add(std::string_view line);
  /// Forgets the journal: it begins anew.
  void restart();
  void finish(Summary summary) { summary_ = std::move(summary); }
  void unfinish() { summary_.reset(); }

  const std::vector<WatchedNet>& nets() const { return nets_; }
  const std::optional<Summary>& summary() const { return summary_; }
  std::size_t running() const;
  bool all_ended() const;
  double seconds() const { return summary_ ? summary_->seconds : seconds_; }
  bool classification() const { return classification_; }
  const std::string& data() const { return data_; }
  const std::string& target() const { return target_; }
  const std::string& device() const { return device_; }
  /// Epochs without success that end a phase; 0: not known.
  double patience(const std::string& phase) const;

 private:
  void add_epoch(WatchedNet& net, const nlohmann::json& event);
  WatchedNet& net(std::size_t id);
  WatchedNet fresh(std::size_t id) const;

  std::vector<double> lambdas_;
  std::uint64_t seed_ = 0;
  std::size_t seeds_ = 1;
  double patience_ = 0;
  double fine_patience_ = 0;
  bool classification_ = true;
  std::string data_;
  std::string target_;
  std::string device_;
  std::vector<WatchedNet> nets_;
  std::optional<Summary> summary_;
  double seconds_ = 0;
};

}  // namespace coppice
