#include "coppice/reproduce/parametric.h"

#include "coppice/core/file.h"
#include "coppice/model/names.h"
#include "coppice/run/device.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <span>

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

Setting setting_of(std::span<const TrialResult> runs) {
  Setting setting{.trial = runs.front().trial,
                  .parameters = runs.front().parameters,
                  .validation = {},
                  .test = {},
                  .runs = {runs.begin(), runs.end()}};
  std::vector<double> validation;
  std::vector<double> test;
  for (const TrialResult& run : runs) {
    validation.push_back(validation_of(run));
    test.push_back(run.test_error.value_or(1.0));
  }
  setting.validation = spread_of(validation);
  setting.test = spread_of(test);
  return setting;
}

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

double validation_of(const TrialResult& result) {
  return std::isfinite(result.validation_error) ? result.validation_error : 1.0;
}

std::vector<TrialResult> best_of(std::vector<TrialResult> results, std::size_t count) {
  std::ranges::stable_sort(results, {}, [](const TrialResult& result) {
    return std::pair(validation_of(result), result.parameters);
  });
  results.resize(std::min(results.size(), count));
  return results;
}

std::vector<std::vector<Setting>> rerun_best(Parametric& nets,
                                             const std::vector<std::vector<TrialResult>>& lists,
                                             std::size_t best, std::size_t seeds, const std::string& what) {
  std::vector<Trial> trials;
  std::vector<std::size_t> owners;  // which list a setting is of
  for (std::size_t list = 0; list < lists.size(); ++list) {
    for (const TrialResult& result : best_of(lists[list], best)) {
      owners.push_back(list);
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        trials.push_back(result.trial);
        trials.back().seed = seed;
      }
    }
  }
  const std::vector<TrialResult> all = nets.train(trials, what);
  std::vector<std::vector<Setting>> settings(lists.size());
  for (std::size_t i = 0; i < owners.size(); ++i)
    settings[owners[i]].push_back(setting_of(std::span(all).subspan(i * seeds, seeds)));
  for (std::vector<Setting>& list : settings) {
    std::ranges::stable_sort(list, {}, [](const Setting& setting) {
      return std::pair(setting.validation.median, setting.parameters);
    });
  }
  return settings;
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
