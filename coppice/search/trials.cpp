#include "coppice/search/trials.h"

#include "coppice/run/combinations.h"
#include "coppice/run/configuration.h"
#include "coppice/run/run.h"
#include "coppice/search/group_training.h"
#include "coppice/search/results_file.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace coppice {

namespace {

/// Nets of a population. On a processor they wait for their turn and only take memory; a GPU is the faster the more
/// nets take a step together.
std::size_t most_together(Device device) {
  return device == Device::cuda ? 256 : 32;
}

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

/// False if `stop` ended it.
bool train_groups(const PreparedData& data, const RunOptions& base, std::span<const Trial> trials,
                  const Record& record, TrialObserver* observer, const std::function<bool()>& stop) {
  ThreadPool pool(thread_count(base));
  std::size_t gpu_limit = std::numeric_limits<std::size_t>::max();
  for (const Group& group : groups_of(base, trials)) {
    GroupTraining training(pool, data, group, trials, record, observer);
    std::size_t most = std::min(gpu_limit, most_together(training.device()));
    if (!training.train(most, stop)) return false;
    if (training.device() == Device::cuda) gpu_limit = most;
  }
  return true;
}

}  // namespace

std::uint32_t search_fingerprint(const PreparedData& data, const RunOptions& base) {
  const TrainingOptions none;
  return settings_fingerprint(
      trial_options(base, {.hidden = {}, .optimizer = none.optimizer, .step = none.step, .norm = none.norm}),
      data.checksums);
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

std::optional<Model> train_model(const PreparedData& data, const RunOptions& base, const Trial& trial,
                                 TrialObserver* observer, const std::function<bool()>& stop) {
  if (observer != nullptr) observer->on_begin({&trial, 1}, 0);
  std::optional<Model> trained;
  const Record record = [&](const TrialResult&, Model model) { trained = std::move(model); };
  train_groups(data, base, {&trial, 1}, record, observer, stop);
  return trained;
}

}  // namespace coppice
