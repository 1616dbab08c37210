#pragma once

#include "coppice/training/cuda/nets.h"
#include "coppice/training/cuda/optimizer_step.h"
#include "coppice/training/cuda/orders.h"
#include "coppice/training/cuda/passes.h"
#include "coppice/training/cuda/step_table.h"
#include "coppice/training/cuda/validation.h"

#include <map>
#include <span>
#include <vector>

namespace coppice::cuda {

/// Over all nets and steps.
BatchSizes batch_sizes(std::span<const NetData> nets, const TrainingOptions& options);

/// What the host hears of an epoch.
struct EpochResults {
  Pinned<LossPart> train;
  Pinned<LossPart> validation;
  Pinned<float> scores;  ///< of validation rows, if the metric needs them: [net][output][row]
  Pinned<int> failed;
  Pinned<StepTally> tallies;             ///< [net][layer]
  std::vector<Pinned<int>> died;         ///< per hidden layer: [net][slot]
  std::vector<Pinned<Lengths>> lengths;  ///< per hidden layer: [net][slot]
};

/// Epochs of all nets on the GPU: steps and validation as recorded launches, which ask the host nothing.
class Engine {
 public:
  struct Data {
    std::span<const NetData> nets;
    const DeviceDataset* train = nullptr;
    const DeviceDataset* validation = nullptr;
    const std::uint32_t* order = nullptr;
  };
  Engine(const Nets& nets, std::span<const NetRun> runs, const Data& data, const TrainingOptions& options,
         const Stream& stream, const Stream& beside);

  /// The table to fill before `launch`; for units to be born it has at least this much room per net and step.
  StepTable& table(std::size_t most_births);

  struct Settings {
    std::vector<bool> active;
    std::vector<NetStep> sizes;
    std::vector<int> widths;  ///< [layer][net]
  };
  /// Enqueues an epoch and the transfer of its results.
  void launch(const Settings& settings, bool with_lengths);

  const EpochResults& results() const { return results_; }
  /// Of the net's validation rows, a row each; empty if the metric does not need them.
  Matrix<float> scores(std::size_t net) const;

 private:
  /// What differs between recorded series of steps.
  struct Series {
    std::vector<bool> births;  ///< units are born after the step
    bool shrinks = false;      ///< some net's penalty is at work
    auto operator<=>(const Series&) const = default;
  };
  void enqueue_step(std::size_t s, const Series& series) const;
  const Graph& steps(const Series& series);
  void begin(const Settings& settings);
  void end(bool with_lengths);

  const Nets* nets_;
  Data data_;
  const TrainingOptions* options_;
  const Stream* stream_;
  const Stream* beside_;
  int batch_;
  Passes passes_;
  Validation validation_;
  OptimizerStep optimizer_;
  StepTable table_;
  std::map<Series, Graph> graphs_;
  Graph validation_graph_;
  EpochResults results_;
  Pinned<NetStep> host_sizes_;
  Pinned<int> host_widths_;
  Array<NetStep> sizes_;
  Array<std::uint64_t> seeds_;
  Array<float> scale_;
  Array<float> offset_;
  Array<int> failed_;
  Array<LossPart> parts_;
  Array<LossPart> train_loss_;
  Array<LossPart> validation_loss_;
};

}  // namespace coppice::cuda
