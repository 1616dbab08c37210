#include "coppice/search/trials.h"

#include "coppice/api/combinations.h"
#include "coppice/api/device.h"
#include "coppice/api/resolve.h"
#include "coppice/search/group_training.h"
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

std::vector<TrialGroup> groups_of(const Options& base, std::span<const Trial> trials) {
  const auto kind = [&](std::size_t i) {
    return std::tuple(trials[i].optimizer, trials[i].norm, trials[i].hidden.size());
  };
  std::vector<TrialGroup> groups;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    auto group =
        std::ranges::find_if(groups, [&](const TrialGroup& g) { return kind(g.trials.front()) == kind(i); });
    if (group == groups.end()) {
      Options alone;
      alone.radial_step = base.radial_step;
      refuse_combinations(trial_options(alone, trials[i]));
      groups.push_back({.options = trial_options(base, trials[i]), .trials = {}});
      group = groups.end() - 1;
    }
    group->trials.push_back(i);
  }
  return groups;
}

/// Hands on what populations that train at the same time report, one call at a time.
class OneAtATime final : public SearchObserver {
 public:
  OneAtATime(Record record, SearchObserver* observer, std::function<bool()> stop)
      : record_(std::move(record)), observer_(observer), stop_(std::move(stop)) {}

  void record(const TrialResult& result, const std::optional<Model>& model) {
    const std::scoped_lock lock(mutex_);
    record_(result, model);
    ended_.insert(result.trial);
  }
  /// The group without what was recorded before.
  TrialGroup rest_of(TrialGroup group, std::span<const Trial> trials) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(group.trials, [&](std::size_t i) { return ended_.contains(trials[i]); });
    return group;
  }
  bool stops() {
    const std::scoped_lock lock(mutex_);
    return stop_();
  }
  void on_epoch(const EpochReport& report) override {
    const std::scoped_lock lock(mutex_);
    if (observer_ != nullptr) observer_->on_epoch(report);
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
  SearchObserver* observer_;
  std::function<bool()> stop_;
};

/// False if `stop` ended it.
bool train_groups(const TrialContext& context, std::span<const Trial> trials, const Record& record) {
  const PreparedData& data = *context.data;
  const Options& base = *context.base;
  ThreadPool pool(thread_count(base));
  const std::vector<TrialGroup> groups = groups_of(base, trials);
  if (groups.empty()) return true;
  OneAtATime all(record, context.observer, context.stop);
  std::atomic<std::size_t> gpu_limit = std::numeric_limits<std::size_t>::max();
  std::atomic<bool> failed = false;
  const auto train = [&](std::size_t i) {
    const TrialGroup group =
        all.rest_of(groups[i], trials);  // all of it, unless it lacked memory beside others
    GroupTraining training(
        pool, data, group, trials,
        [&](const TrialResult& result, const std::optional<Model>& model) { all.record(result, model); },
        &all);
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

const TrialResult* TrialResults::find(const Trial& trial) const {
  const auto found = index_.find(trial);
  return found == index_.end() ? nullptr : &results_[found->second];
}

void TrialResults::add(TrialResult result) {
  index_.try_emplace(result.trial, results_.size());
  results_.push_back(std::move(result));
}

std::optional<std::vector<TrialResult>> train_trials(const TrialContext& context,
                                                     std::span<const Trial> trials, TrialResults& results) {
  std::vector<Trial> missing;
  std::set<Trial> seen;
  for (const Trial& trial : trials) {
    if (seen.insert(trial).second && results.find(trial) == nullptr) missing.push_back(trial);
  }
  if (context.observer != nullptr) context.observer->on_begin(missing, seen.size() - missing.size());
  const auto append = [&](const TrialResult& result) { results.append(result); };
  const bool complete =
      context.crew != nullptr
          ? missing.empty() || context.crew->train(missing, append, context.observer, context.stop)
          : train_groups(context, missing,
                         [&](const TrialResult& result, const std::optional<Model>&) { append(result); });
  if (!complete) return std::nullopt;
  std::vector<TrialResult> all;
  for (const Trial& trial : trials) all.push_back(*results.find(trial));
  return all;
}

std::optional<TrainedTrial> train_model(const TrialContext& context, const Trial& trial) {
  if (context.observer != nullptr) context.observer->on_begin({&trial, 1}, 0);
  std::optional<TrainedTrial> trained;
  const Record record = [&](const TrialResult& result, const std::optional<Model>& model) {
    if (model) trained = TrainedTrial{result, *model};
  };
  train_groups(context, {&trial, 1}, record);
  return trained;
}

}  // namespace coppice
