#include "coppice/api/training.h"

#include "coppice/api/fixed_nets.h"
#include "coppice/api/make_population.h"
#include "coppice/api/metric.h"
#include "coppice/api/refit.h"
#include "coppice/api/resolve.h"
#include "coppice/core/names.h"
#include "coppice/device/gpu.h"
#include "coppice/device/product.h"
#include "coppice/training/base_rate.h"
#include "coppice/training/lambda_scale.h"
#include "coppice/training/schedule.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace coppice {

namespace {

constexpr double clearly_worse = 0.05;  ///< of what a net lost that was taught, in comparison with others

bool finds_path(const Options& options) {
  return options.lambdas.empty() && options.fixed_size.empty();
}

TrainingOptions variant_options(const Options& options, const Variant& variant) {
  TrainingOptions training = training_options(options);
  training.hidden_layers = variant.hidden_layers;
  return training;
}

/// Of each variant the lambda above which nothing is learned.
std::vector<double> largest_lambdas(ThreadPool& pool, const Options& options, const PreparedData& data,
                                    std::span<const Variant> variants) {
  std::vector<double> largest;
  for (const Variant& variant : variants) {
    largest.push_back(largest_lambda(pool, variant_options(options, variant), *options.seed,
                                     data.net_data(*options.seed, {.plain = !variant.bins})));
  }
  return largest;
}

/// The lambdas that a training begins with; a net of fixed size has no penalty unless one is given. A path begins with a
/// net that is clearly too small: a third of the lambda above which nothing is learned.
std::vector<double> first_lambdas(const Options& options, std::span<const double> largest) {
  if (!options.lambdas.empty()) return options.lambdas;
  if (!finds_path(options)) return {0.0};
  return lambda_path(std::clamp(largest.front() / 3, 1e-9, 1e9), *options.path);
}

std::size_t smallest_parameters(const Network<float>& network) {
  return network.inputs() + network.outputs() + network.layers.size() - 2;
}

}  // namespace

Training::Training(const Table& table, const Options& options, const std::function<void()>& check)
    : Training(prepare(table, options, check), check) {}

Training::Training(Prepared prepared, const std::function<void()>& check)
    : data_(std::move(prepared.data)),
      options_(std::move(prepared.options)),
      lesson_options_(std::move(prepared.lessons)),
      pool_(thread_count(options_)),
      device_(choose_device(options_)),
      variants_(std::move(prepared.variants)),
      variant_scales_(variants_.size(), 1) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  check();
  if (finds_path(options_)) {
    variant_scales_ = largest_lambdas(pool_, options_, data_, variants_);
    lambdas_ = first_lambdas(options_, variant_scales_);
    const double usual = variant_scales_.front();
    for (double& scale : variant_scales_) scale = usual > 0 && scale > 0 ? scale / usual : 1;
  } else {
    lambdas_ = first_lambdas(options_, {});
  }
  check();
}

TrainingInfo Training::info() const {
  const WithArithmetic as_asked(arithmetic_of(options_));
  const TrainingOptions training = training_options(options_);
  return {.notes = data_.notes,
          .warnings = warnings(),
          .inputs = data_.encoding.inputs(),
          .train_rows = data_.train_count(),
          .validation_rows = data_.validation_count(),
          .test_rows = data_.test_count(),
          .lambdas = lambdas_,
          .lambdas_found = finds_path(options_),
          .nets = expected_nets(path_options()) + (teaches() ? expected_nets(taught_options()) : 0),
          .step_name = std::string(step_name(training)),
          .step = first_step(training, lambdas_.front(), data_.train_count()),
          .threads = pool_.threads(),
          .device_text = device_.text,
          .precision = choose_precision(options_, device_.device, data_.images()),
          .options = options_};
}

std::string Training::kernels() const {
  const WithArithmetic as_asked(arithmetic_of(options_));
  const Precision precision = choose_precision(options_, device_.device, data_.images());
  return device_.kernels + ", " + std::string(name_of(precision));
}

/// About the data, and about the device.
std::vector<std::string> Training::warnings() const {
  std::vector<std::string> all = data_.warnings;
  const Precision precision = choose_precision(options_, device_.device, data_.images());
  for (const std::string& warning : {product_warning(), precision_warning(precision)}) {
    if (!warning.empty()) all.push_back(warning);
  }
  return all;
}

TrainingOptions Training::options_for(const PlannedNet& net) const {
  TrainingOptions training = variant_options(net.taught ? lesson_options_ : options_, variants_[net.variant]);
  training.precision = choose_precision(options_, device_.device, data_.images());
  if (net.refit) training.course = refit_course;
  return net.is_fixed() ? fixed_options(std::move(training), net.fixed_size) : training;
}

NetShare Training::share_for(const PlannedNet& net) const {
  return {.plain = !variants_[net.variant].bins,
          .fold = net.fold,
          .all_rows = net.refit,
          .beginning = net.beginning};
}

NetData Training::net_data(const PlannedNet& net) {
  return data_for(net).net_data(net.seed, share_for(net));
}

const PreparedData& Training::data_for(const PlannedNet& net) {
  if (!net.columns.empty() && !narrowed_.contains(net.columns))
    narrowed_.emplace(net.columns, keep_columns(data_, net.columns));
  return seen_by(net);
}

bool Training::is_fixed(const PlannedNet& net) const {
  return !options_.fixed_size.empty() || !net.fixed_size.empty();
}

/// Nets that grow alone are of the paper, and what was given as a net's size or beginning stays.
FixedNets Training::fixed_nets() {
  FixedNets fixed;
  const bool wanted = budget_of(options_).limited() && options_.fixed_size.empty() &&
                      data_.warm_starts.empty() && options_.effort != Effort::paper;
  if (!wanted) return fixed;
  fixed.layers = *options_.hidden_layers;
  fixed.widths = column_widths(data_);
  fixed.size_of = [this](const Columns& columns, const HiddenUnits& hidden) {
    return size_of(data_, training_options(options_), columns, hidden, counted_bytes(options_));
  };
  fixed.ample = fixed.size_of({}, HiddenUnits(fixed.layers, *options_.start_units)).parameters;
  fixed.ranking = [this](std::size_t net) {
    const PlannedNet& planned = planned_[net];
    const Trainer trainer(pool_, options_for(planned));
    return rank_columns(trainer, kept_state(runs_[net]), data_for(planned), planned.rows_seed(),
                        planned.columns);
  };
  fixed.telling = [this] { return telling_columns(data_, *options_.seed); };
  return fixed;
}

/// The plan without a budget.
PlanOptions Training::path_options() const {
  std::vector<PlannedVariant> variants;
  for (std::size_t v = 0; v < variants_.size(); ++v)
    variants.push_back({.scale = variant_scales_[v], .builds_on = builds_on(variants_, v)});
  return {.lambdas = lambdas_,
          .seed = *options_.seed,
          .seeds = *options_.seeds,
          .path = finds_path(options_),
          .smallest_parameters = runs_.empty() ? 0 : smallest_parameters(runs_.front().current.network),
          .budget = {},
          .variants = std::move(variants),
          .folds = data_.folds,
          .rows = data_.train_count()};
}

PlanOptions Training::plan_options() {
  PlanOptions options = path_options();
  options.budget = budget_of(options_);
  options.fixed = fixed_nets();
  return options;
}

const NetState& Training::kept_state(const NetRun& run) const {
  return options_.keep == Keep::last ? run.current : run.kept;
}

std::vector<TrainedNet> Training::trained_nets(bool taught) {
  const std::size_t first = taught ? first_taught() : 0;
  std::vector<TrainedNet> trained;
  for (std::size_t i = first; i < runs_.size(); ++i) {
    const NetRun& run = runs_[i];
    const NetState& state = kept_state(run);
    PlannedNet planned = planned_[i];
    if (planned.refit || planned.taught != taught) break;  // these are the last, and nothing validates them
    if (planned.warm_from) *planned.warm_from -= first;
    const PreparedData& data = data_for(planned);
    const Encoding& encoding = data.tables(!variants_[planned.variant].bins).encoding;
    Candidate result{
        .error = state.criterion,
        .standard_error = estimated_standard_error(state.criterion, data_.classes(), *options_.metric,
                                                   data.validation_count()),
        .parameters = state.network.parameters(),
        .bytes = options_.max_bytes ? model_size(encoding, state.network, *options_.bytes_for) : 0};
    if (taught) {  // what teachers are unsure of is no difference between nets
      result.error = std::max(0.0, state.criterion - teacher_->exam.criterion);
      result.standard_error = clearly_worse * result.error;
    }
    trained.push_back({.planned = planned, .result = result});
  }
  return trained;
}

std::vector<PlannedNet> Training::next_round() {
  // Nets that a limit stopped tell neither size nor error, and a limit is a limit.
  if (std::ranges::any_of(runs_, &NetRun::stopped)) return {};
  if (std::ranges::any_of(planned_, &PlannedNet::refit)) return {};
  if (first_taught() == planned_.size()) {
    std::vector<PlannedNet> planned = next_nets(plan_options(), trained_nets());
    if (!planned.empty()) return planned;
  }
  return teaches() ? taught_round() : last_round();
}

/// The best goes on with the rows that validated it: whatever is picked in the end, which may be told anew.
std::vector<PlannedNet> Training::last_round() {
  if (options_.refit == Refit::off || !data_.splits_rows()) return {};
  const Result result = finish();
  const NetResult& best = result.nets[result.best];
  const double base = base_criterion(net_data(planned_.front()), *options_.metric);
  if (!options_.refit && !may_refit(best, base, data_.train_count())) return {};
  std::vector<PlannedNet> planned;
  for (const std::size_t net : best.members.empty() ? std::vector{result.best} : best.members) {
    planned.push_back(planned_[net]);
    planned.back().warm_from = net;
    planned.back().refit = true;
  }
  return planned;
}

/// Adds the planned nets, each as it was before or at its beginning.
void Training::begin_round(const std::vector<PlannedNet>& planned) {
  for (const PlannedNet& net : planned) {
    runs_.push_back(begun(runs_.size(), net, ancestor_of(net)));
    planned_.push_back(net);
    restore_(runs_.back());
  }
}

bool Training::begin_next_round() {
  const std::vector<PlannedNet> planned = runs_.empty() ? first_nets(plan_options()) : next_round();
  first_ = runs_.size();
  begin_round(planned);
  return !planned.empty();
}

bool Training::round_ended() const {
  return std::none_of(runs_.begin() + static_cast<std::ptrdiff_t>(first_), runs_.end(),
                      [](const NetRun& run) { return run.running(); });
}

/// Nets that did not go on to the end are left out: their steps were still long.
bool Training::refit_ended() const {
  return std::ranges::all_of(runs_, [&](const NetRun& run) {
    return !planned_[run.id].refit || run.protocol.phase() == Phase::done;
  });
}

void Training::begin(const std::function<void(NetRun&)>& restore) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  if (restore) restore_ = restore;
  if (!team_ && options_.rows_over_ranks.value_or(false)) team_ = std::make_unique<LocalTeam>(data_.train);
  more_ = begin_next_round();
  while (more_ && round_ended()) more_ = begin_next_round();
}

void Training::train_nets(std::span<const std::size_t> nets, TrainingObserver& observer,
                          const std::function<bool()>& stop) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  std::vector<NetTask> tasks;
  for (const std::size_t net : nets) {
    data_for(planned_[net]);  // made ready
    tasks.push_back(task(planned_[net], runs_[net], together(net)));
  }
  const auto put_all_back = [&](const std::vector<NetRun>& runs) {
    for (const NetRun& run : runs) put_back(run);
  };
  Trainers trainers;
  std::unique_ptr<Population> population;
  try {
    population = population_of(std::move(tasks), pool_, trainers);
    population->train(observer, stop);
    put_all_back(population->runs());
  } catch (const GpuOutOfMemory& error) {
    if (population) put_all_back(population->runs());  // as far as they came
    if (options_.device) throw;
    observer.on_note(std::string(error.what()) + "; the CPU takes over");
    device_ = choose_device(options_, {.usable = false, .text = "the GPU's memory does not suffice"});
  }
}

bool Training::train(TrainingObserver& observer, const std::function<bool()>& stop, double seconds,
                     Crew* crew) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  const auto start = std::chrono::steady_clock::now();
  const auto ends = [&] {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return stop() || passed.count() >= seconds;
  };
  std::size_t started = 0;
  bool stuck = false;
  while (more_) {
    for (; started < runs_.size(); ++started)
      observer.on_start(runs_[started], planned_[started], device_.device);
    if (crew != nullptr) {
      stuck = !crew->train_round(*this, observer, ends);
    } else if (team_) {  // which passes over one batch at a time: nets side by side would wait for each other
      for (const std::size_t net : waiting()) train_nets({&net, 1}, observer, ends);
    } else {
      std::vector<std::size_t> round(runs_.size() - first_);
      std::iota(round.begin(), round.end(), first_);
      train_nets(round, observer, ends);
    }
    const bool ending = stuck || ends();
    while (more_ && round_ended() && (!ending || next_round().empty())) more_ = begin_next_round();
    if (ending) break;
  }
  return !more_ || !(stuck || stop());  // what is complete was not stopped
}

}  // namespace coppice
