#include "coppice/search/trials.h"

#include "coppice/run/combinations.h"
#include "coppice/run/configuration.h"
#include "coppice/run/device.h"
#include "coppice/run/run.h"
#include "coppice/search/group_training.h"
#include "coppice/search/results_file.h"
#include "coppice/search/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

namespace coppice {

namespace {

/// Groups that train on a GPU at the same time: the last nets of one leave it nearly idle.
constexpr std::size_t gpu_lanes = 8;

std::vector<Group> groups_of(const RunOptions& base, std::span<const Trial> trials) {
  const auto kind = [&](std::size_t i) {
    return std::tuple(trials[i].optimizer, trials[i].norm, trials[i].hidden.size());
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < trials.size(); ++i) {
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

/// Hands on what populations that train at the same time report, one call at a time.
class OneAtATime final : public TrialObserver {
 public:
  OneAtATime(Record record, TrialObserver* observer, std::function<bool()> stop)
      : record_(std::move(record)), observer_(observer), stop_(std::move(stop)) {}

  void record(const TrialResult& result, Model model) {
    const std::scoped_lock lock(mutex_);
    record_(result, std::move(model));
    ended_.insert(result.trial);
  }
  /// The group without what was recorded before.
  Group rest_of(Group group, std::span<const Trial> trials) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(group.trials, [&](std::size_t i) { return ended_.contains(trials[i]); });
    return group;
  }
  bool stops() {
    const std::scoped_lock lock(mutex_);
    return stop_();
  }
  void on_epoch(const NetRun& run, const EpochReport& report) override {
    const std::scoped_lock lock(mutex_);
    if (observer_ != nullptr) observer_->on_epoch(run, report);
  }
  void on_result(const TrialResult& result) override {
    const std::scoped_lock lock(mutex_);
    if (observer_ != nullptr) observer_->on_result(result);
  }
  void on_note(const std::string& note) override {
    const std::scoped_lock lock(mutex_);
    if (observer_ != nullptr) observer_->on_note(note);
  }

 private:
  std::mutex mutex_;
  Record record_;
  std::set<Trial> ended_;
  TrialObserver* observer_;
  std::function<bool()> stop_;
};

/// False if `stop` ended it.
bool train_groups(const PreparedData& data, const RunOptions& base, std::span<const Trial> trials,
                  const Record& record, TrialObserver* observer, const std::function<bool()>& stop) {
  ThreadPool pool(thread_count(base));
  const std::vector<Group> groups = groups_of(base, trials);
  if (groups.empty()) return true;
  OneAtATime all(record, observer, stop);
  std::atomic<std::size_t> gpu_limit = std::numeric_limits<std::size_t>::max();
  std::atomic<bool> failed = false;
  const auto train = [&](std::size_t i) {
    const Group group = all.rest_of(groups[i], trials);  // all of it, unless it lacked memory beside others
    GroupTraining training(
        pool, data, group, trials,
        [&](const TrialResult& result, Model model) { all.record(result, std::move(model)); }, &all);
    std::size_t most = std::min(gpu_limit.load(), most_together(training.device()));
    try {
      if (!training.train(most, [&] { return failed || all.stops(); })) return false;
    } catch (const GpuOutOfMemory&) {
      throw;
    } catch (...) {
      failed = true;  // the others need not go on
      throw;
    }
    if (training.device() == Device::cuda && most < gpu_limit) gpu_limit = most;
    return true;
  };
  const Device device = choose_device(groups.front().options).device;
  return side_by_side(groups.size(), device == Device::cuda ? gpu_lanes : 1, train);
}

}  // namespace

std::uint32_t search_fingerprint(const PreparedData& data, const RunOptions& base) {
  const TrainingOptions none;
  RunOptions shared =
      trial_options(base, {.hidden = {}, .optimizer = none.optimizer, .step = none.step, .norm = none.norm});
  // Of no use to these optimizers, and it depends on whether the batch size was given, as it is to a resumed search.
  shared.training.angular_step = none.angular_step;
  return settings_fingerprint(std::move(shared), data.checksums);
}

std::optional<std::vector<TrialResult>> train_trials(const PreparedData& data, const RunOptions& base,
                                                     std::span<const Trial> trials,
                                                     const std::string& results_path, TrialObserver* observer,
                                                     const std::function<bool()>& stop) {
  ResultsFile results(results_path, search_fingerprint(data, base));
  std::vector<Trial> missing;
  std::set<Trial> seen;
  for (const Trial& trial : trials) {
    if (seen.insert(trial).second && results.find(trial) == nullptr) missing.push_back(trial);
  }
  if (observer != nullptr) observer->on_begin(missing, seen.size() - missing.size());
  const Record record = [&](const TrialResult& result, const Model&) { results.append(result); };
  if (!train_groups(data, base, missing, record, observer, stop)) return std::nullopt;
  std::vector<TrialResult> all;
  for (const Trial& trial : trials) all.push_back(*results.find(trial));
  return all;
}

std::optional<TrainedTrial> train_model(const PreparedData& data, const RunOptions& base, const Trial& trial,
                                        TrialObserver* observer, const std::function<bool()>& stop) {
  if (observer != nullptr) observer->on_begin({&trial, 1}, 0);
  std::optional<TrainedTrial> trained;
  const Record record = [&](const TrialResult& result, Model model) {
    trained = TrainedTrial{result, std::move(model)};
  };
  train_groups(data, base, {&trial, 1}, record, observer, stop);
  return trained;
}

}  // namespace coppice
