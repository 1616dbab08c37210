#include "coppice/reproduce/parametric.h"

#include "coppice/core/file.h"
#include "coppice/model/names.h"
#include "coppice/run/device.h"
#include "coppice/search/ranking.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

namespace coppice::reproduce {

namespace {

/// Says every ten seconds how many of the trials have ended.
class TrialLines final : public TrialObserver {
 public:
  TrialLines(const Session& session, std::string what, std::size_t trials)
      : session_(&session), what_(std::move(what)), trials_(trials) {}

  void on_epoch(const NetRun& run, const EpochReport& report) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - said_ < std::chrono::seconds(10)) return;
    said_ = now;
    session_->say(fmt::format("{}: {} of {} nets ended; net {} in epoch {}, {}, error {:.4f}", what_, ended_,
                              trials_, run.id, run.epoch, phase_name(report.next_phase),
                              report.validation_error));
  }
  void on_result(const TrialResult&) override { ++ended_; }
  void on_note(const std::string& note) override { session_->say(fmt::format("{}: {}", what_, note)); }

 private:
  const Session* session_;
  std::string what_;
  std::size_t trials_;
  std::size_t ended_ = 0;
  std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();
};

}  // namespace

Flags parametric_flags(const Counts& counts, const DataFiles& data) {
  if (counts.short_protocol > 0) return short_flags(data);
  return {{"effort", "paper"}, {"batch-size", "1000"}};
}

Parametric::Parametric(const Session& session, const DataFiles& data, const Flags& flags)
    : session_(&session),
      name_(data.name + "-parametric"),
      command_(train_command(data, flags) +
               " --fixed-size SIZE --optimizer OPTIMIZER --norm NORM --step STEP --seed SEED"),
      options_(options_of(session, data, flags)) {
  data_ = prepare_data(options_);
}

std::vector<TrialResult> Parametric::train(const std::vector<Trial>& trials, const std::string& what) {
  const std::string path = session_->work_path(name_ + ".jsonl");
  const auto start = std::chrono::steady_clock::now();
  for (const Trial& trial : trials) seeds_ = std::max<std::size_t>(seeds_, trial.seed + 1);
  if (seconds_ == 0) from_earlier_ = std::filesystem::exists(path);
  session_->say(fmt::format("{}: {} nets", what, trials.size()));
  TrialLines lines(*session_, what, trials.size());
  auto results = train_trials(data_, options_, trials, path, &lines, session_->stop);
  if (!results) throw Interrupted();
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::move(*results);
}

Origin Parametric::origin() const {
  RunOptions options = options_;
  options.training.optimizer = OptimizerKind::rmsprop;
  options.training.norm = Norm::batchnorm;
  const Device device = choose_device(options).device;
  return {.name = name_,
          .command = command_,
          .seeds = seeds_text(0, seeds_),
          .device = device_text(options, device),
          .precision = name_of(choose_precision(options, device, data_.encoding.format)),
          .seconds = from_earlier_ ? 0 : seconds_};
}

std::vector<Setting> settings_of(const std::vector<TrialResult>& results) {
  std::vector<Setting> settings;
  for (const RankedSetting& ranked : rank_settings(results)) {
    settings.push_back({.trial = ranked.trial,
                        .parameters = ranked.parameters,
                        .validation = ranked.validation_error,
                        .test = ranked.test_error.value_or(Spread{1, 1, 1}),
                        .runs = {}});
    for (const std::size_t i : ranked.results) settings.back().runs.push_back(results[i]);
  }
  return settings;
}

std::vector<std::vector<Setting>> rerun_best(Parametric& nets,
                                             const std::vector<std::vector<TrialResult>>& lists,
                                             std::size_t best, std::size_t seeds, const std::string& what) {
  std::vector<Trial> trials;
  std::vector<std::size_t> ends;  // of each list's part of the trials
  for (const std::vector<TrialResult>& list : lists) {
    const std::vector<Trial> more = rerun_trials(rank_settings(list), best, seeds, 0);
    trials.insert(trials.end(), more.begin(), more.end());
    ends.push_back(trials.size());
  }
  const std::vector<TrialResult> again = nets.train(trials, what);
  std::vector<std::vector<Setting>> all;
  std::size_t first = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    std::vector<TrialResult> results = lists[i];
    results.insert(results.end(), again.begin() + static_cast<std::ptrdiff_t>(first),
                   again.begin() + static_cast<std::ptrdiff_t>(ends[i]));
    first = ends[i];
    all.push_back(settings_of(results));  // those with more seeds come first
    all.back().resize(std::min(best, all.back().size()));
  }
  return all;
}

std::vector<Setting> two_or_three(const std::vector<Setting>& settings) {
  std::vector<Setting> shown{settings.front()};
  const auto smaller = std::ranges::find_if(
      settings, [&](const Setting& setting) { return setting.parameters < settings.front().parameters; });
  if (smaller != settings.end()) shown.push_back(*smaller);
  const auto smallest = std::ranges::min_element(settings, {}, &Setting::parameters);
  if (smallest->parameters < shown.back().parameters) shown.push_back(*smallest);
  return shown;
}

}  // namespace coppice::reproduce
