#include "coppice/search/trials.h"

#include "coppice/device/gpu.h"
#include "coppice/run/combinations.h"
#include "coppice/run/configuration.h"
#include "coppice/run/device.h"
#include "coppice/run/make_population.h"
#include "coppice/run/measured_net.h"
#include "coppice/run/run.h"
#include "coppice/search/in_populations.h"
#include "coppice/search/results_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace coppice {

namespace {

/// Nets of a population. On a processor they wait for their turn and only take memory; a GPU is the faster the more
/// nets take a step together.
std::size_t most_together(Device device) {
  return device == Device::cuda ? 256 : 32;
}

RunOptions trial_options(const RunOptions& base, const Trial& trial) {
  RunOptions options = base;
  options.training.fixed_size = trial.hidden;
  options.training.hidden_layers = trial.hidden.size();
  options.training.optimizer = trial.optimizer;
  options.training.step = trial.step;
  options.training.norm = trial.norm;
  return options;
}

/// Trials that can be one population: one optimizer, one normalisation, as many layers.
struct Group {
  RunOptions options;  ///< of its first trial; size and step matter when a net starts, not afterwards
  std::vector<std::size_t> trials;
};

std::vector<Group> groups_of(const RunOptions& base, std::span<const Trial> trials,
                             const ResultsFile& results) {
  const auto kind = [&](std::size_t i) {
    return std::tuple(trials[i].optimizer, trials[i].norm, trials[i].hidden.size());
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const auto earlier = trials.first(i);
    const bool repeated = std::ranges::find(earlier, trials[i]) != earlier.end();
    if (repeated || results.find(trials[i]) != nullptr) continue;
    auto group =
        std::ranges::find_if(groups, [&](const Group& g) { return kind(g.trials.front()) == kind(i); });
    if (group == groups.end()) {
      groups.push_back({.options = trial_options(base, trials[i]), .trials = {}});
      refuse_combinations(groups.back().options);
      group = groups.end() - 1;
    }
    group->trials.push_back(i);
  }
  return groups;
}

/// Trains one group and records what ends.
class GroupTraining final : public Observer {
 public:
  GroupTraining(ThreadPool& pool, const PreparedData& data, const Group& group, std::span<const Trial> trials,
                ResultsFile& results, TrialObserver* observer)
      : pool_(&pool),
        data_(&data),
        group_(&group),
        trials_(trials),
        results_(&results),
        observer_(observer),
        device_(choose_device(group.options).device),
        trainer_(pool, training_options(group.options)) {}

  Device device() const { return device_; }
  /// At most `most` together; false if `stop` ended it.
  bool train(std::size_t& most, const std::function<bool()>& stop);

  void on_epoch(const NetRun& run, const EpochReport& report) override {
    if (observer_ != nullptr) observer_->on_epoch(run, report);
    if (!run.running()) record(run);
  }
  bool reads_weights(const NetRun& run) const override { return !run.running(); }

 private:
  TrainingOptions training_options(const RunOptions& options) const {
    TrainingOptions training = options.training;
    training.precision = choose_precision(options, device_, data_->encoding.format);
    return training;
  }
  NetRun start(std::size_t trial);
  void record(const NetRun& run);

  ThreadPool* pool_;
  const PreparedData* data_;
  const Group* group_;
  std::span<const Trial> trials_;
  ResultsFile* results_;
  TrialObserver* observer_;
  Device device_;
  Trainer trainer_;
};

bool GroupTraining::train(std::size_t& most, const std::function<bool()>& stop) {
  const ManyNets nets{
      .count = group_->trials.size(),
      .start = [&](std::size_t i) { return start(group_->trials[i]); },
      .together =
          [&](std::vector<NetRun> runs) {
            std::vector<NetData> data;
            for (const NetRun& run : runs) data.push_back(data_->net_data(run.seed));
            return make_population(device_, *pool_, trainer_, std::move(data), std::move(runs),
                                   Turns::first_to_last);
          },
      .halved =
          [&](std::size_t now) {
            if (observer_ != nullptr)
              observer_->on_note(fmt::format(
                  "the GPU's memory does not suffice for so many nets; {} together from now on", now));
          }};
  return train_in_populations(nets, most, *this, stop);
}

/// Only here do size and step of the trial matter: from now on they are the net's own.
NetRun GroupTraining::start(std::size_t trial) {
  const Trial& t = trials_[trial];
  RunOptions options = group_->options;
  options.training.fixed_size = t.hidden;
  options.training.step = t.step;
  NetRun run = Trainer(*pool_, training_options(options)).start(trial, 0, t.seed, data_->net_data(t.seed));
  if (!run.running()) record(run);  // a limit of no steps at all
  return run;
}

void GroupTraining::record(const NetRun& run) {
  const NetState& state = group_->options.training.keep == Keep::last ? run.current : run.kept;
  TrialResult result{.trial = trials_[run.id],
                     .parameters = state.network.parameters(),
                     .validation_error = std::nan(""),
                     .test_error = std::nullopt,
                     .train_loss = state.train_loss,
                     .epochs = run.epoch,
                     .phase = std::string(phase_name(run.protocol.phase()))};
  const bool learned = !result.failed() || std::isfinite(state.validation_error);
  if (learned) {
    const MeasuredNet net = measure_net(*pool_, trainer_, state, *data_, data_->net_data(run.seed));
    result.validation_error = net.validation_error;
    result.test_error = net.test_error;
  }
  results_->append(result);
  if (observer_ != nullptr) observer_->on_result(result);
}

}  // namespace

std::uint32_t search_fingerprint(const PreparedData& data, const RunOptions& base) {
  RunOptions shared = base;
  const TrainingOptions none;
  shared.training.fixed_size = none.fixed_size;
  shared.training.hidden_layers = none.hidden_layers;
  shared.training.optimizer = none.optimizer;
  shared.training.step = none.step;
  shared.training.norm = none.norm;
  return settings_fingerprint(std::move(shared), data.checksums);
}

std::optional<std::vector<TrialResult>> train_trials(const PreparedData& data, const RunOptions& base,
                                                     std::span<const Trial> trials,
                                                     const std::string& results_path, TrialObserver* observer,
                                                     const std::function<bool()>& stop) {
  ResultsFile results(results_path, search_fingerprint(data, base));
  ThreadPool pool(thread_count(base));
  std::size_t gpu_limit = std::numeric_limits<std::size_t>::max();
  for (const Group& group : groups_of(base, trials, results)) {
    GroupTraining training(pool, data, group, trials, results, observer);
    std::size_t most = std::min(gpu_limit, most_together(training.device()));
    if (!training.train(most, stop)) return std::nullopt;
    if (training.device() == Device::cuda) gpu_limit = most;
  }
  std::vector<TrialResult> all;
  for (const Trial& trial : trials) all.push_back(*results.find(trial));
  return all;
}

}  // namespace coppice
