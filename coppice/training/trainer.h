#pragma once

#include "coppice/data/dataset.h"
#include "coppice/device/compute.h"
#include "coppice/network/workspace.h"
#include "coppice/training/net_run.h"
#include "coppice/training/optimizer.h"
#include "coppice/training/options.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace coppice {

class RowTeam;

/// The data of one net: which rows it learns from and which decide.
struct NetData {
  const Dataset* train = nullptr;
  std::vector<std::uint32_t> train_rows;  ///< shuffled once: the first of them measure CapNorm's numbers
  const Dataset* validation = nullptr;
  std::vector<std::uint32_t> validation_rows;
  std::size_t classes = 0;  ///< 0: regression
  RowTeam* team =
      nullptr;  ///< who holds the rows of `train` and passes over them; null: the net's own process alone
};

/// Trains nets, one epoch at a time. Holds no state of a run, prints and writes nothing.
class Trainer {
 public:
  Trainer(ThreadPool& pool, TrainingOptions options);

  /// The net before its first epoch: start_units per hidden layer, class offsets from the base rate.
  NetRun start(std::size_t id, double lambda, std::uint64_t seed, const NetData& data) const;

  /// The same, but beginning as `network`: in the phase that grows, or in `settle`, which only shrinks.
  NetRun start_from(Network<float> network, Phase phase, std::size_t id, double lambda, std::uint64_t seed,
                    const NetData& data) const;

  /// Trains one epoch, validates, and follows the protocol. Nothing, and the run half trained, when `stop`
  /// says so in the middle: the caller keeps a copy to go back to.
  std::optional<EpochReport> train_epoch(NetRun& run, const NetData& data, Workspace<float>& workspace,
                                         const std::function<bool()>& stop) const;

  /// The steps of an epoch alone: batches, gradients, updates, units that come and go.
  enum class Steps : std::uint8_t { finished, stopped, diverged };
  Steps train_steps(NetRun& run, const NetData& data, Workspace<float>& workspace,
                    const std::function<bool()>& stop, EpochReport& report) const;

  /// Measures the state on the validation rows, with CapNorm's numbers from training rows.
  void validate(NetState& state, const NetData& data, Workspace<float>& workspace) const;

  /// CapNorm's numbers for a finished network: from more rows than at every validation.
  Statistics<float> statistics(const Network<float>& network, const NetData& data,
                               Workspace<float>& workspace) const;

  // The parts of an epoch that do not depend on where it is computed.
  EpochReport begin_report(const NetRun& run) const;
  static void tell_steps(std::span<const StepTally> tallies, EpochReport& report);
  static void end_steps(NetRun& run, double train_loss, EpochReport& report);
  /// Takes the criterion in run.current to the protocol. The caller then keeps or rewinds.
  Verdict judge(NetRun& run, EpochReport& report) const;
  /// A net that validates no better than the base rate has learned noise: it becomes its base rate, unless its size
  /// is fixed and no penalty prunes it.
  void prefer_base_rate(NetRun& run, const NetData& data, Workspace<float>& workspace,
                        EpochReport& report) const;

  const TrainingOptions& options() const { return options_; }

 private:
  bool train_batch(NetRun& run, const NetData& data, std::span<const std::uint32_t> rows, double weight,
                   Workspace<float>& workspace, DeadUnits& dead, double& loss) const;

  Compute compute_;
  TrainingOptions options_;
  std::unique_ptr<Optimizer<float>> optimizer_;
};

/// Training rows that measure CapNorm's numbers at every validation: twice the rows of a batch are enough, and
/// more would cost as much as the validation itself.
constexpr std::size_t validation_statistics_rows = 2000;

/// Whether the report on an epoch tells the units' lengths.
bool reports_lengths(std::size_t epoch);

}  // namespace coppice
