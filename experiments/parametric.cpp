#include "experiments/parametric.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"

#include "experiments/nonparametric.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// Says now and then how many of the nets have ended.
class SearchLines final : public SearchObserver {
 public:
  SearchLines(const Session& session, std::string name) : session_(&session), name_(std::move(name)) {}

  SearchInfo info;

  void on_info(const SearchInfo& begun) override { info = begun; }
  void on_begin(std::span<const Trial> trials, std::size_t known) override {
    ended_ = 0;
    trials_ = trials.size();
    session_->say(fmt::format("{}: {} nets, {} more are known", name_, trials_, known));
  }
  void on_epoch(const EpochReport& epoch) override {
    if (!pace_.due()) return;
    session_->say(fmt::format("{}: {} of {} nets ended; net {} in epoch {}, {}, error {:.4f}", name_, ended_,
                              trials_, epoch.net, epoch.epoch, phase_name(epoch.next_phase),
                              epoch.validation_error));
  }
  void on_result(const TrialResult&) override { ++ended_; }
  void on_note(const std::string& note) override { session_->say(fmt::format("{}: {}", name_, note)); }

 private:
  const Session* session_;
  std::string name_;
  std::size_t trials_ = 0;
  std::size_t ended_ = 0;
  Pace pace_;
};

/// Adds what a list does not name yet.
void note(std::string& list, std::string_view text) {
  if (list.find(text) == std::string::npos) list += fmt::format("{}{}", list.empty() ? "" : "; ", text);
}

/// All that makes a search another one.
std::string space_text(const SearchSpace& space) {
  std::vector<std::string> words;
  for (const OptimizerKind optimizer : space.optimizers) words.push_back(name_of(optimizer));
  for (const Norm norm : space.norms) words.push_back(name_of(norm));
  for (const std::vector<std::size_t>& size : space.sizes) words.push_back(size_text(size));
  for (const LayerRange& layer : space.layers) words.push_back(fmt::format("{}:{}", layer.low, layer.high));
  return fmt::format("{}; steps {} and {}; {} trials, the {} best with {} seeds", joined(words, " "),
                     numbers_text(space.steps.values), numbers_text(space.normalised_steps.values),
                     space.trials, space.top, space.reruns);
}

/// The products' precision in "on the CPU, products in fp32; ...".
std::string precision_in(const std::string& text) {
  constexpr std::string_view before = "products in ";
  const std::size_t at = text.find(before) + before.size();
  return text.substr(at, text.find(';', at) - at);
}

}  // namespace

Flags parametric_flags(const Counts& counts, const DataFiles& data) {
  if (counts.short_protocol > 0) return short_flags(data);
  return {{"effort", "paper"}, {"batch-size", "1000"}};
}

Parametric::Parametric(const Session& session, const DataFiles& data, const Flags& flags)
    : session_(&session), data_(data), flags_(flags), folder_(data.name + "-parametric") {
  made_.name = folder_;
  made_.command = train_command(data, flags) +
                  " --fixed-size SIZE --optimizer OPTIMIZER --norm NORM --step STEP --seed SEED";
}

Provenance Parametric::provenance() const {
  const std::scoped_lock lock(mutex_);
  return made_;
}

void Parametric::add(const Provenance& made, std::size_t seeds) {
  const std::scoped_lock lock(mutex_);
  note(made_.device, made.device);
  note(made_.precision, made.precision);
  made_.seconds += made.seconds;
  seeds_ = std::max(seeds_, seeds);
  made_.seeds = seeds_text(0, seeds_);
}

Tried Parametric::search(const std::string& what, const SearchSpace& space) {
  check(*session_);
  const std::string name = fmt::format("{}/{}", folder_, what);
  const WorkFolder folder(*session_, name,
                          fmt::format("{}: {}", train_command(data_, flags_), space_text(space)));
  if (folder.is_done()) {
    session_->say(fmt::format("{}: already there", name));
  } else {
    SearchLines lines(*session_, name);
    const auto start = std::chrono::steady_clock::now();
    unless_interrupted([&] {
      return session_->search_files(folder.path(), data_.paths(), space, options_of(*session_, data_, flags_),
                                    &lines, session_->stop);
    });
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    folder.done({.device = device_name(lines.info.device_text, lines.info.threads),
                 .precision = precision_in(lines.info.device_text),
                 .seconds = passed.count()});
  }
  add(folder.made(), space.reruns);
  const std::vector<Trial> trials = trials_of(space, 0);
  const std::vector<TrialResult> results = ordered(read_trials(folder.path()), trials);
  Tried tried{.first = {results.begin(), results.begin() + static_cast<std::ptrdiff_t>(trials.size())},
              .settings = settings_of(results)};
  tried.settings.resize(std::min(space.top, tried.settings.size()));  // those with more seeds come first
  return tried;
}

std::vector<TrialResult> ordered(std::vector<TrialResult> results, const std::vector<Trial>& trials) {
  std::ranges::sort(results, {}, &TrialResult::trial);
  std::vector<TrialResult> all;
  for (const Trial& trial : trials) {
    const auto found = std::ranges::lower_bound(results, trial, {}, &TrialResult::trial);
    if (found == results.end() || found->trial != trial)
      fail("a net of {} units is missing; remove the folder and start again", size_text(trial.hidden));
    all.push_back(std::move(*found));
    results.erase(found);
  }
  return all + results;
}

std::vector<TriedSetting> settings_of(const std::vector<TrialResult>& results) {
  std::vector<TriedSetting> settings;
  for (const RankedSetting& ranked : rank_settings(results)) {
    settings.push_back({.trial = ranked.trial,
                        .parameters = ranked.parameters,
                        .validation = ranked.validation_error,
                        .test = ranked.test_error.value_or(Spread{1, 1, 1})});
    for (const std::size_t i : ranked.results) settings.back().runs.push_back(results[i]);
  }
  return settings;
}

std::vector<TriedSetting> two_or_three(const std::vector<TriedSetting>& settings) {
  std::vector<TriedSetting> shown{settings.front()};
  const auto smaller = std::ranges::find_if(settings, [&](const TriedSetting& setting) {
    return setting.parameters < settings.front().parameters;
  });
  if (smaller != settings.end()) shown.push_back(*smaller);
  const auto smallest = std::ranges::min_element(settings, {}, &TriedSetting::parameters);
  if (smallest->parameters < shown.back().parameters) shown.push_back(*smallest);
  return shown;
}

}  // namespace coppice::experiments
