#include "coppice/api/training.h"

#include "coppice/analysis/analysis.h"
#include "coppice/analysis/metrics.h"
#include "coppice/api/choose.h"
#include "coppice/api/fixed_nets.h"
#include "coppice/api/make_population.h"
#include "coppice/api/measure.h"
#include "coppice/api/resolve.h"
#include "coppice/device/gpu.h"
#include "coppice/device/product.h"
#include "coppice/model/parts.h"
#include "coppice/training/base_rate.h"
#include "coppice/training/lambda_scale.h"
#include "coppice/training/schedule.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

namespace coppice {

namespace {

bool finds_path(const Options& options) {
  return options.lambdas.empty() && options.fixed_size.empty();
}

/// A path begins with a net that is clearly too small: a third of the lambda above which nothing is learned.
std::vector<double> path_lambdas(ThreadPool& pool, const Options& options, const PreparedData& data) {
  const double largest =
      largest_lambda(pool, training_options(options), *options.seed, data.net_data(*options.seed));
  return lambda_path(std::clamp(largest / 3, 1e-9, 1e9), *options.path);
}

/// The lambdas that a training begins with; a net of fixed size has no penalty unless one is given.
std::vector<double> first_lambdas(ThreadPool& pool, const Options& options, const PreparedData& data) {
  if (!options.lambdas.empty()) return options.lambdas;
  return finds_path(options) ? path_lambdas(pool, options, data) : std::vector<double>{0.0};
}

/// Standard error of a net's criterion over so many rows, from the criterion alone: squares of normal residuals have a
/// deviation of sqrt(2) times their mean, log-losses about one of their mean.
double estimated_standard_error(double criterion, std::size_t classes, Metric metric, std::size_t rows) {
  if (classes > 0 && metric == Metric::error) return share_standard_error(criterion, rows);
  return criterion * std::sqrt((classes > 0 ? 1 : 2) / static_cast<double>(std::max<std::size_t>(1, rows)));
}

std::size_t smallest_parameters(const Network<float>& network) {
  return network.inputs() + network.outputs() + network.layers.size() - 2;
}

BaseRate base_of(const PreparedData& data, std::uint64_t seed) {
  const NetData net = data.net_data(seed);
  const std::vector<float> logs = base_rate(net);
  const auto usual = static_cast<std::size_t>(std::ranges::max_element(logs) - logs.begin());
  return {.answer = data.encoding.target.classes[usual],
          .error = base_criterion(net, Metric::error),
          .log_loss = base_criterion(net, Metric::log_loss)};
}

NetResult result_of(const NetRun& run, const NetState& state, const PlannedNet& planned) {
  NetResult result;
  result.id = run.id;
  result.lambda = run.lambda;
  result.seed = run.seed;
  result.hidden_units = state.network.hidden_units();
  result.parameters = state.network.parameters();
  result.train_loss = state.train_loss;
  result.epochs = run.epoch;
  result.phase = phase_name(run.protocol.phase());
  result.warm_from = planned.warm_from;
  result.inputs = state.network.inputs();
  return result;
}

}  // namespace

Training::Training(const Table& table, const Options& options, const std::function<void()>& check)
    : Training(prepare(table, options, check), check) {}

Training::Training(Prepared prepared, const std::function<void()>& check)
    : data_(std::move(prepared.data)),
      options_(std::move(prepared.options)),
      pool_(thread_count(options_)),
      device_(choose_device(options_)) {
  check();
  lambdas_ = first_lambdas(pool_, options_, data_);
  check();
}

TrainingInfo Training::info() const {
  const TrainingOptions training = training_options(options_);
  return {.notes = data_.notes,
          .warnings = warnings(),
          .inputs = data_.encoding.inputs(),
          .train_rows = data_.train_count(),
          .validation_rows = data_.validation_count(),
          .test_rows = data_.test_count(),
          .lambdas = lambdas_,
          .lambdas_found = finds_path(options_),
          .nets = lambdas_.size() * *options_.seeds,
          .step_name = std::string(step_name(training)),
          .step = first_step(training, lambdas_.front(), data_.train_count()),
          .threads = pool_.threads(),
          .device_text = device_.text,
          .precision = choose_precision(options_, device_.device, data_.images()),
          .options = options_};
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
  TrainingOptions training = training_options(options_);
  training.precision = choose_precision(options_, device_.device, data_.images());
  return net.fixed_size.empty() ? training : fixed_options(std::move(training), net.fixed_size);
}

const PreparedData& Training::data_for(const PlannedNet& net) {
  if (net.columns.empty()) return data_;
  auto found = narrowed_.find(net.columns);
  if (found == narrowed_.end())
    found = narrowed_.emplace(net.columns, keep_columns(data_, net.columns)).first;
  return found->second;
}

bool Training::is_fixed(const PlannedNet& net) const {
  return !options_.fixed_size.empty() || !net.fixed_size.empty();
}

/// Nets that grow alone are of the paper, and what was given as a net's size or beginning stays.
FixedNets Training::fixed_nets() {
  FixedNets fixed;
  const bool wanted = budget_of(options_).limited() && options_.fixed_size.empty() && !data_.warm_start &&
                      options_.effort != Effort::paper;
  if (!wanted) return fixed;
  fixed.layers = *options_.hidden_layers;
  fixed.widths = column_widths(data_);
  fixed.size_of = [this](const Columns& columns, const HiddenUnits& hidden) {
    return size_of(data_, training_options(options_), columns, hidden, options_.max_bytes.has_value());
  };
  fixed.ample = fixed.size_of({}, HiddenUnits(fixed.layers, *options_.start_units)).parameters;
  fixed.ranking = [this](std::size_t net) {
    const PlannedNet& planned = planned_[net];
    const Trainer trainer(pool_, options_for(planned));
    return rank_columns(trainer, kept_state(runs_[net]), data_for(planned), runs_[net].seed, planned.columns);
  };
  fixed.telling = [this] { return telling_columns(data_, *options_.seed); };
  return fixed;
}

PlanOptions Training::plan_options() {
  return {.lambdas = lambdas_,
          .seed = *options_.seed,
          .seeds = *options_.seeds,
          .path = finds_path(options_),
          .smallest_parameters = runs_.empty() ? 0 : smallest_parameters(runs_.front().current.network),
          .budget = budget_of(options_),
          .fixed = fixed_nets()};
}

const NetState& Training::kept_state(const NetRun& run) const {
  return options_.keep == Keep::last ? run.current : run.kept;
}

std::vector<PlannedNet> Training::next_round() {
  // Nets that a limit stopped tell neither size nor error, and a limit is a limit.
  if (std::ranges::any_of(runs_, &NetRun::stopped)) return {};
  std::vector<TrainedNet> trained;
  for (const NetRun& run : runs_) {
    const NetState& state = kept_state(run);
    trained.push_back(
        {.lambda = run.lambda,
         .seed = run.seed,
         .searched = planned_[run.id].searched,
         .result = {.error = state.criterion,
                    .standard_error = estimated_standard_error(state.criterion, data_.classes(),
                                                               *options_.metric, data_.validation_count()),
                    .parameters = state.network.parameters(),
                    .bytes = options_.max_bytes
                                 ? model_size(data_for(planned_[run.id]).encoding, state.network)
                                 : 0},
         .fixed = !planned_[run.id].fixed_size.empty(),
         .columns = planned_[run.id].columns});
  }
  return next_nets(plan_options(), trained);
}

/// Adds the planned nets, each as it was before or at its beginning.
void Training::begin_round(const std::vector<PlannedNet>& planned) {
  for (const PlannedNet& net : planned) {
    const Trainer trainer(pool_, options_for(net));
    const std::size_t id = runs_.size();
    const NetData data = data_for(net).net_data(net.seed);
    if (net.warm_from) {
      const NetRun& from = runs_[*net.warm_from];
      const Phase phase = net.lambda > from.lambda ? Phase::settle : Phase::grow;
      runs_.push_back(trainer.start_from(kept_state(from).network, phase, id, net.lambda, net.seed, data));
    } else if (data_.warm_start) {
      runs_.push_back(trainer.start_from(*data_.warm_start, Phase::grow, id, net.lambda, net.seed, data));
    } else {
      runs_.push_back(trainer.start(id, net.lambda, net.seed, data));
    }
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

void Training::begin(const std::function<void(NetRun&)>& restore) {
  if (restore) restore_ = restore;
  more_ = begin_next_round();
  while (more_ && round_ended()) more_ = begin_next_round();
}

/// Nets of the round that can be trained as one population: but for sizes and steps, which are a net's own once it has
/// begun, they have the same options, and the same data.
std::vector<std::vector<std::size_t>> Training::groups() const {
  std::map<std::pair<std::size_t, Columns>, std::vector<std::size_t>> groups;
  for (std::size_t i = first_; i < runs_.size(); ++i)
    groups[{planned_[i].fixed_size.size(), planned_[i].columns}].push_back(i);
  std::vector<std::vector<std::size_t>> result;
  for (auto& [kind, nets] : groups) result.push_back(std::move(nets));
  return result;
}

void Training::train_round(TrainingObserver& observer, const std::function<bool()>& stop) {
  for (const std::vector<std::size_t>& group : groups()) {
    const PlannedNet& like = planned_[group.front()];
    const Trainer trainer(pool_, options_for(like));
    std::vector<NetRun> nets;
    std::vector<NetData> net_data;
    for (const std::size_t i : group) {
      nets.push_back(runs_[i]);
      net_data.push_back(data_for(like).net_data(runs_[i].seed));
    }
    if (std::ranges::none_of(nets, &NetRun::running)) continue;
    std::unique_ptr<Population> population;
    const auto bring = [&] {  // as far as they came
      for (std::size_t i = 0; i < group.size(); ++i) runs_[group[i]] = population->runs()[i];
    };
    try {
      population = make_population(device_.device, pool_, trainer, std::move(net_data), std::move(nets));
      population->train(observer, stop);
      bring();
    } catch (const GpuOutOfMemory& error) {
      if (population) bring();
      if (options_.device) throw;
      observer.on_note(std::string(error.what()) + "; the CPU takes over");
      device_ = choose_device(options_, {.usable = false, .text = "the GPU's memory does not suffice"});
      return;
    }
    if (stop()) return;
  }
}

bool Training::train(TrainingObserver& observer, const std::function<bool()>& stop, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  const auto ends = [&] {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return stop() || passed.count() >= seconds;
  };
  std::size_t started = 0;
  while (more_) {
    for (; started < runs_.size(); ++started)
      observer.on_start(runs_[started], planned_[started], device_.device);
    train_round(observer, ends);
    const bool ending = ends();
    while (more_ && round_ended() && (!ending || next_round().empty())) more_ = begin_next_round();
    if (ending) break;
  }
  return !more_ || !stop();  // what is complete was not stopped
}

Result Training::finish(const std::function<void()>& check) {
  Result result;
  for (const NetRun& run : runs_) {
    check();
    const NetState& state = kept_state(run);
    NetResult& net = result.nets.emplace_back(result_of(run, state, planned_[run.id]));
    const Trainer trainer(pool_, options_for(planned_[run.id]));
    const MeasuredNet measured = measure(pool_, trainer, run, state, data_for(planned_[run.id]));
    if (is_fixed(planned_[run.id])) net.kind = NetKind::fixed;
    net.validation_error = measured.validation_error;
    net.standard_error = measured.standard_error;
    net.log_loss = measured.log_loss;
    net.log_loss_deviation = measured.log_loss_deviation;
    net.one_answer = measured.one_answer;
    net.test_error = measured.test_error;
    result.models.push_back(measured.model);
    net.bytes = measured.model.bytes().size();
  }
  result.pick = *options_.pick;
  result.metric = *options_.metric;
  result.max_parameters = options_.max_parameters;
  result.max_bytes = options_.max_bytes;
  result.task = data_.encoding.task;
  if (data_.classes() > 0) result.base = base_of(data_, *options_.seed);
  result.threads = pool_.threads();
  result.device = device_.device;
  result.device_text = device_.text;
  result.options = options_;
  result.notes = data_.notes;
  result.warnings = warnings();
  choose(result);
  return result;
}

std::string Training::analysis_text(const Model& model, std::size_t net, const std::string& file) {
  const PreparedData& data = data_for(planned_[net]);
  const NetData net_data = data.net_data(model.origin().seed);
  const bool test = data.has_test();
  return analysis_json(pool_, model, net,
                       {.held = test ? &data.test_set() : net_data.validation,
                        .rows = test ? data.all_test_rows() : net_data.validation_rows,
                        .test = test,
                        .summary = &data.summary,
                        .file = file})
      .dump();
}

}  // namespace coppice
