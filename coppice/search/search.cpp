#include "coppice/search/search.h"

#include "coppice/api/combinations.h"
#include "coppice/api/device.h"
#include "coppice/api/resolve.h"
#include "coppice/core/fail.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/device/conductor.h"
#include "coppice/device/product.h"
#include "coppice/search/group_training.h"
#include "coppice/search/search_training.h"
#include "coppice/search/settings.h"

#include <set>
#include <utility>

namespace coppice {

namespace {

/// Calls f with the options of a net of each kind in the space.
template <class F>
void for_kinds(const SearchSpace& space, const Options& base, const F& f) {
  for (const OptimizerKind optimizer : space.optimizers) {
    for (const Norm norm : space.norms)
      f(trial_options(base, {.hidden = {1}, .optimizer = optimizer, .step = 1, .norm = norm}));
  }
}

Options checked(const SearchSpace& space, Options options) {
  check_search(space, options);
  for_kinds(space, options, refuse_combinations);
  if (!options.effort) options.effort = Effort::paper;
  options.ensemble = 1;
  if (options.encode.value_or(Encode::automatic) == Encode::automatic) options.encode = Encode::plain;
  return options;
}

}  // namespace

SearchTraining::SearchTraining(const Table& table, SearchSpace space, const Options& options,
                               const std::function<void()>& check)
    : space_(std::move(space)) {
  Prepared prepared = prepare(table, checked(space_, options), check);
  data_ = std::move(prepared.data);
  options_ = std::move(prepared.options);
  if (space_.kind == SearchKind::random && space_.layers.empty())
    space_.layers = default_layers(data_.train_count());
  device_text_ = find_device();  // or fails, before anything is trained
}

std::string SearchTraining::find_device() const {
  std::set<std::string> texts;
  for_kinds(space_, options_, [&](const Options& options) {
    const ChosenDevice device = choose_device(options);
    texts.insert(fmt::format("{}, products in {}", device.text,
                             name_of(choose_precision(options, device.device, data_.images()))));
  });
  return joined(std::vector<std::string>(texts.begin(), texts.end()), "; ");
}

SearchInfo SearchTraining::info() const {
  std::vector<std::string> warnings = data_.warnings;
  if (const std::string warning = product_warning(); !warning.empty()) warnings.push_back(warning);
  return {.notes = data_.notes,
          .warnings = std::move(warnings),
          .task = data_.encoding.task,
          .inputs = data_.encoding.inputs(),
          .outputs = std::max<std::size_t>(1, data_.classes()),
          .train_rows = data_.train_count(),
          .validation_rows = data_.validation_count(),
          .test_rows = data_.test_count(),
          .trials = trials_of(space_, *options_.seed).size(),
          .threads = thread_count(options_),
          .device_text = device_text_,
          .space = space_,
          .options = options_};
}

bool SearchTraining::train_some(std::span<const Trial> trials, std::size_t threads, TrialResults& results,
                                SearchObserver* observer, const std::function<bool()>& stop) const {
  const WithArithmetic as_asked(arithmetic_of(options_));
  Options base = options_;
  base.threads = threads;
  const TrialContext context{.data = &data_, .base = &base, .observer = observer, .stop = stop};
  return train_trials(context, trials, results).has_value();
}

std::string SearchTraining::kernels() const {
  std::set<std::string> all;
  for_kinds(space_, options_, [&](const Options& options) {
    const ChosenDevice device = choose_device(options);
    all.insert(fmt::format("{}, {}", device.kernels,
                           name_of(choose_precision(options, device.device, data_.images()))));
  });
  return joined(std::vector<std::string>(all.begin(), all.end()), "; ");
}

Device SearchTraining::device() const {
  bool cuda = true;
  for_kinds(space_, options_,
            [&](const Options& options) { cuda = cuda && choose_device(options).device == Device::cuda; });
  return cuda ? Device::cuda : Device::cpu;
}

bool SearchTraining::train(TrialResults& results, SearchObserver* observer, const std::function<bool()>& stop,
                           TrialCrew* crew) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  try {
    return train_all(results, observer, stop, crew);
  } catch (const GpuOutOfMemory& error) {
    if (options_.device) throw;
    if (observer != nullptr) observer->on_note(std::string(error.what()) + "; the CPU takes over");
    options_.device = Device::cpu;
  }
  return train_all(results, observer, stop, crew);
}

bool SearchTraining::train_all(TrialResults& results, SearchObserver* observer,
                               const std::function<bool()>& stop, TrialCrew* crew) {
  const auto note = [&](const std::string& text) {
    if (observer != nullptr) observer->on_note(text);
  };
  const TrialContext context{
      .data = &data_, .base = &options_, .observer = observer, .stop = stop, .crew = crew};
  const auto train = [&](const std::vector<Trial>& trials) {
    const auto trained = train_trials(context, trials, results);
    if (!trained) return false;
    results_.insert(results_.end(), trained->begin(), trained->end());
    return true;
  };
  results_.clear();
  if (!train(trials_of(space_, *options_.seed))) return false;
  ranked_ = rank_settings(results_);
  if (space_.reruns > 1) {
    const std::vector<Trial> reruns = rerun_trials(ranked_, space_.top, space_.reruns, *options_.seed);
    if (!reruns.empty()) {
      note(fmt::format("{} net{} more: the best settings with {} seeds each", reruns.size(),
                       reruns.size() > 1 ? "s" : "", space_.reruns));
    }
    if (!train(reruns)) return false;
    ranked_ = rank_settings(results_);
  }
  chosen_ = best_net(ranked_.front(), results_);
  model_.reset();
  if (!chosen_) return true;
  note("the best net once more, for the model");
  model_ = train_model(context, results_[*chosen_].trial);
  return model_.has_value() || !stop();  // on a GPU it may diverge this time
}

SearchResult SearchTraining::finish() const {
  SearchResult result;
  result.kind = space_.kind;
  result.task = data_.encoding.task;
  result.results = results_;
  result.ranked = ranked_;
  result.chosen = chosen_;
  if (model_) {
    result.again = model_->result;
    result.model = model_->model;
  }
  result.options = options_;
  result.notes = data_.notes;
  result.warnings = data_.warnings;
  return result;
}

template <class F>
void SearchRelay::post(F call) {
  if (observer_ != nullptr) conductor_->post(std::move(call));
}
void SearchRelay::on_info(const SearchInfo& info) {
  post([this, info] { observer_->on_info(info); });
}
void SearchRelay::on_begin(std::span<const Trial> trials, std::size_t known) {
  post([this, all = std::vector<Trial>(trials.begin(), trials.end()), known] {
    observer_->on_begin(all, known);
  });
}
void SearchRelay::on_epoch(const EpochReport& epoch) {
  post([this, epoch] { observer_->on_epoch(epoch); });
}
void SearchRelay::on_result(const TrialResult& result) {
  post([this, result] { observer_->on_result(result); });
}
void SearchRelay::on_note(const std::string& note) {
  post([this, note] { observer_->on_note(note); });
}

SearchResult search(const Table& table, const SearchSpace& space, const Options& options,
                    SearchObserver* observer, const std::function<bool()>& stop) {
  Conductor conductor(stop);
  SearchRelay relay(conductor, observer);
  SearchResult result;
  conductor.run([&] {
    SearchTraining training(table, space, options, [&] { conductor.check(); });
    relay.on_info(training.info());
    TrialResults results;
    if (!training.train(results, &relay, [&] { return conductor.stopped(); })) conductor.check();
    result = training.finish();
  });
  return result;
}

}  // namespace coppice
