#include "coppice/reproduce/parametric.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/model/names.h"
#include "coppice/run/device.h"
#include "coppice/search/ranking.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

namespace coppice::reproduce {

namespace {

using nlohmann::json;

/// Says every ten seconds how many of the trials have ended.
class TrialLines final : public TrialObserver {
 public:
  TrialLines(const Session& session, std::string what, std::size_t trials)
      : session_(&session), what_(std::move(what)), trials_(trials) {}

  /// Called before nets are trained; not if all results are known.
  std::function<void()> before_training;

  void on_begin(std::span<const Trial> trials, std::size_t) override {
    if (!trials.empty()) before_training();
  }

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

/// Adds what a list does not name yet.
void note(std::string& list, std::string_view text) {
  if (list.find(text) == std::string::npos) list += fmt::format("{}{}", list.empty() ? "" : "; ", text);
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
  made_path_ = session.work_path(name_ + ".made.json");
  if (!std::filesystem::exists(made_path_)) return;
  const json made = json::parse(read_file(made_path_), nullptr, false);
  if (!made.is_object())
    fail("{}: is not a JSON object; remove it with {}.jsonl beside it", made_path_, name_);
  device_ = made.value("device", "");
  precision_ = made.value("precision", "");
  seconds_ = made.value("seconds", 0.0);
}

void Parametric::write_made() const {
  write_file(made_path_,
             json{{"device", device_}, {"precision", precision_}, {"seconds", seconds_}}.dump(2) + "\n");
}

/// Where nets are about to be trained; results that are known keep what was noted when they were.
void Parametric::note_device() {
  RunOptions options = options_;
  options.training.optimizer = OptimizerKind::rmsprop;
  options.training.norm = Norm::batchnorm;
  const Device device = choose_device(options).device;
  note(device_, device_text(options, device));
  note(precision_, name_of(choose_precision(options, device, data_.encoding.format)));
  write_made();
}

std::vector<TrialResult> Parametric::train(const std::vector<Trial>& trials, const std::string& what) {
  const std::string path = session_->work_path(name_ + ".jsonl");
  for (const Trial& trial : trials) seeds_ = std::max<std::size_t>(seeds_, trial.seed + 1);
  session_->say(fmt::format("{}: {} nets", what, trials.size()));
  TrialLines lines(*session_, what, trials.size());
  std::optional<std::chrono::steady_clock::time_point> start;
  lines.before_training = [&] {
    if (!start) start = std::chrono::steady_clock::now();
    note_device();
  };
  auto results = run_or_leave_gpu(options_, session_->say, [&](bool again) {
    if (again) options_.device = Device::cpu;
    return train_trials(data_, options_, trials, path, &lines, session_->stop);
  });
  if (start) {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - *start).count();
    write_made();
  }
  if (!results) throw Interrupted();
  return std::move(*results);
}

Origin Parametric::origin() const {
  return {.name = name_,
          .command = command_,
          .seeds = seeds_text(0, seeds_),
          .device = device_,
          .precision = precision_,
          .seconds = seconds_};
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
