#include "coppice/training/trainer.h"

#include "coppice/device/rows.h"
#include "coppice/device/signals.h"
#include "coppice/network/evaluate.h"
#include "coppice/network/gradient.h"
#include "coppice/network/row_team.h"
#include "coppice/network/score_metrics.h"
#include "coppice/training/base_rate.h"
#include "coppice/training/criterion.h"
#include "coppice/training/scalar_steps.h"
#include "coppice/training/schedule.h"
#include "coppice/training/units.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

/// Training rows that measure CapNorm's numbers for a finished net.
constexpr std::size_t statistics_rows = 10000;
constexpr std::size_t lengths_interval = 10;
/// Relative change of a smooth criterion that counts (see ProtocolOptions::tolerance).
constexpr double smooth_tolerance = 1e-4;

std::span<const std::uint32_t> first_rows(const NetData& data, std::size_t count) {
  return std::span(data.train_rows).first(std::min(count, data.train_rows.size()));
}

std::vector<UnitLengths> measure_lengths(const Network<float>& network) {
  std::vector<UnitLengths> lengths;
  for (std::size_t l = 0; l + 1 < network.layers.size(); ++l) {
    const Layer<float>& layer = network.layers[l];
    std::vector<double> fan_in(layer.weights.rows());
    std::vector<double> fan_out(layer.weights.rows());
    row_lengths(layer.weights.view(), std::span(fan_in));
    column_lengths(network.layers[l + 1].weights.view(), std::span(fan_out));
    for (std::size_t j = 0; j < fan_in.size(); ++j) {
      lengths.push_back({layer.units[j], l, fan_in[j], fan_out[j]});
    }
  }
  return lengths;
}

/// See ProtocolOptions::tolerance.
double tolerance_of(const TrainingOptions& options, std::size_t classes) {
  const bool any_change_counts =
      is_coarse(options.metric, classes) && (options.metric != Metric::auc || options.break_ties);
  return any_change_counts ? 0 : smooth_tolerance;
}

/// Relu takes NaN for 0 and an error rate is finite whatever the scores, so weights are looked at themselves.
bool finite_weights(const Network<float>& network) {
  return std::ranges::all_of(network.layers, [](const Layer<float>& layer) {
    std::vector<double> lengths(layer.weights.rows());
    const auto finite = [](double length) { return std::isfinite(length); };
    row_lengths(layer.weights.view(), std::span(lengths));
    if (layer.affine.empty() || !std::ranges::all_of(lengths, finite)) {
      return std::ranges::all_of(lengths, finite);
    }
    row_lengths(layer.affine.view(), std::span(lengths));
    return std::ranges::all_of(lengths, finite);
  });
}

}  // namespace

bool reports_lengths(std::size_t epoch) {
  return epoch % lengths_interval == 0;
}

Trainer::Trainer(ThreadPool& pool, TrainingOptions options)
    : compute_(pool, options.precision.value_or(Precision::fp32)),
      options_(std::move(options)),
      optimizer_(make_optimizer(options_)) {}

NetRun Trainer::start(std::size_t id, double lambda, std::uint64_t seed, const NetData& data) const {
  const bool fixed = !options_.fixed_size.empty();
  Network<float> network = make_network<float>(
      {.inputs = data.train->input_count(),
       .outputs = std::max<std::size_t>(1, data.classes),
       .hidden = fixed ? options_.fixed_size : std::vector(options_.hidden_layers, options_.start_units),
       .activation = options_.activation,
       .norm = options_.norm,
       .output_capnorm = options_.caps_output(),
       .kinks = options_.kinks},
      seed);
  if (data.classes > 0 && options_.prior_offset) network.offset = base_rate(data);
  // A net of fixed size does not grow. Without a penalty nothing is pruned either: polish and anneal are all there is
  // to do.
  const Phase phase = !fixed ? Phase::grow : lambda > 0 ? Phase::settle : Phase::polish;
  return start_from(std::move(network), phase, id, lambda, seed, data);
}

NetRun Trainer::start_from(Network<float> network, Phase phase, std::size_t id, double lambda,
                           std::uint64_t seed, const NetData& data) const {
  NetRun run;
  run.id = id;
  run.lambda = lambda;
  run.seed = seed;
  run.current.network = std::move(network);
  for (Layer<float>& layer : run.current.network.layers) {
    layer.units.resize(layer.weights.rows());
    std::iota(layer.units.begin(), layer.units.end(), 0U);
    if (&layer != &run.current.network.layers.back())
      run.next_unit = std::max(run.next_unit, static_cast<std::uint32_t>(layer.units.size()));
  }
  if (options_.output_scale_step == 0) run.current.network.output_scale = 1;
  run.current.optimizer = optimizer_->start(run.current.network);
  remember_more(run.current.network, options_, run.current.optimizer);
  run.kept = run.current;
  run.protocol = Protocol({.patience = options_.patience,
                           .fine_patience = options_.fine_patience,
                           .unit_lifetime = living_time(options_, lambda, data.train_rows.size()),
                           .tolerance = tolerance_of(options_, data.classes),
                           .grow_epochs = options_.grow_epochs,
                           .settle_epochs = options_.settle_epochs,
                           .base_criterion = base_criterion(data, options_.metric),
                           .softenings = options_.softenings,
                           .course = options_.course},
                          first_step(options_, lambda, data.train_rows.size()));
  Protocol::State state = run.protocol.state();
  state.phase = phase;
  run.protocol.restore(state);
  run.stopped = options_.max_steps == 0 || options_.max_epochs == 0;
  return run;
}

std::optional<EpochReport> Trainer::train_epoch(NetRun& run, const NetData& data, Workspace<float>& workspace,
                                                const std::function<bool()>& stop) const {
  const SignalPause pause;
  EpochReport report;
  const Steps steps = train_steps(run, data, workspace, stop, report);
  if (steps == Steps::stopped) return std::nullopt;
  const bool finite = steps == Steps::finished && finite_weights(run.current.network);
  if (finite) {
    validate(run.current, data, workspace);
  } else {
    run.current.validation_error = run.current.criterion = std::nan("");
  }
  report.hidden_units = run.current.network.hidden_units();
  if (reports_lengths(run.epoch)) report.lengths = measure_lengths(run.current.network);
  const Verdict verdict = judge(run, report);
  if (verdict.keep) run.kept = run.current;
  if (verdict.rewind) run.current = run.kept;
  if (run.protocol.phase() == Phase::done) prefer_base_rate(run, data, workspace, report);
  return report;
}

Trainer::Steps Trainer::train_steps(NetRun& run, const NetData& data, Workspace<float>& workspace,
                                    const std::function<bool()>& stop, EpochReport& report) const {
  const std::size_t rows = data.train_rows.size();
  const std::size_t steps = steps_per_epoch(rows, options_);
  const std::size_t wanted = next_steps(run, rows, options_);
  report = begin_report(run);
  workspace.tallies.clear();
  const std::vector<std::uint32_t> order = batch_order(run.seed, run.epoch, data.train_rows);
  const double weight = total_weight(*data.train, data.train_rows);
  const std::size_t read = data.team != nullptr ? 0 : batch_at(wanted, rows, options_).first;
  const bool another = read == rows && run.epoch + 1 < options_.max_epochs;
  const auto next_order = [&] { return batch_order(run.seed, run.epoch + 1, data.train_rows); };
  RowReader reader(*data.train, std::span(order).first(read), stop,
                   another ? next_order : std::function<std::vector<std::uint32_t>()>());
  if (reader.stopped()) return Steps::stopped;
  DeadUnits dead;
  double loss = 0;
  std::size_t seen = 0;
  bool finite = true;
  for (std::size_t s = 0; s < wanted; ++s) {
    if (stop && stop()) return Steps::stopped;
    const Batch batch = batch_at(s, rows, options_);
    if (s + 1 < wanted && data.team == nullptr) {
      const Batch next = batch_at(s + 1, rows, options_);
      reader.expect(next.first, next.count);
    }
    if (data.team == nullptr) gather_batch(*compute_.pool, reader, batch.first, batch.count, workspace);
    finite = train_batch(run, data, std::span(order).subspan(batch.first, batch.count), weight, workspace,
                         dead, loss);
    seen += batch.count;
    if (!finite) break;
    bury(*compute_.pool, run, dead, *optimizer_, report);
    if (run.protocol.adds_units()) {
      const std::size_t due = additions_due(run.steps, steps, options_.additions_per_epoch);
      for (std::size_t i = 0; i < due; ++i) grow(run, options_, i, report);
    }
    ++run.steps;
  }
  tell_steps(workspace.tallies, report);
  end_steps(run, loss / (weight * static_cast<double>(seen) / static_cast<double>(rows)), report);
  return finite ? Steps::finished : Steps::diverged;
}

/// Of rows that are in the workspace, unless a team has them. weight: of all training rows.
bool Trainer::train_batch(NetRun& run, const NetData& data, std::span<const std::uint32_t> rows,
                          double weight, Workspace<float>& workspace, DeadUnits& dead, double& loss) const {
  const auto n = static_cast<double>(data.train_rows.size());
  const auto scale = static_cast<float>(1.0 / weight);
  const auto smoothing = static_cast<float>(options_.label_smoothing);
  LossSum sum;
  if (data.team != nullptr) {
    sum = data.team->gradient(compute_, run.current.network, rows, scale, smoothing, workspace);
  } else {
    workspace.zero_units_learn = options_.regularizer.fan == Fan::fan_out;  // as which units are born there
    workspace.label_smoothing = smoothing;
    workspace.kinks_learn = options_.kink_step > 0;
    workspace.output_scale_learns = options_.output_scale_step > 0;
    workspace.seen = run.current.optimizer.seen.empty() ? nullptr : &run.current.optimizer.seen;
    workspace.seen_rows = static_cast<double>(options_.capnorm_rows);
    sum = compute_gradient(compute_, run.current.network, scale, workspace);
  }
  loss += sum.loss;
  if (!std::isfinite(sum.loss)) return false;
  const StepSizes sizes = step_sizes(run, options_, static_cast<double>(rows.size()), n);
  OptimizerState& state = run.current.optimizer;
  if (!optimizer_->step(*compute_.pool, run.current.network, workspace, sizes, state, dead)) return false;
  if (scalars_learn(options_)) move_scalars(options_, sizes, workspace, run.current.network, state);
  return true;
}

Statistics<float> Trainer::statistics(const Network<float>& network, const NetData& data,
                                      Workspace<float>& workspace) const {
  return measure_statistics(*compute_.pool, network, *data.train, first_rows(data, statistics_rows),
                            workspace);
}

void Trainer::validate(NetState& state, const NetData& data, Workspace<float>& workspace) const {
  const std::span<const std::uint32_t> some = first_rows(data, validation_statistics_rows);
  const Statistics<float> fixed =
      data.team != nullptr ? data.team->statistics(compute_, state.network, some)
                           : measure_statistics(compute_, state.network, *data.train, some, workspace);
  Matrix<float> scores;
  Matrix<float>* wanted = needs_scores(options_.metric) ? &scores : nullptr;
  const bool shared = data.team != nullptr && data.validation == data.train;
  const LossSum sum = shared
                          ? data.team->evaluate(compute_, state.network, fixed, data.validation_rows, wanted)
                          : evaluate(compute_, state.network, fixed, *data.validation, data.validation_rows,
                                     workspace, wanted);
  set_validation(state, sum, scores, data, options_);
}

/// A net that validates no better than the base rate has learned noise: its base rate is the better answer.
void Trainer::prefer_base_rate(NetRun& run, const NetData& data, Workspace<float>& workspace,
                               EpochReport& report) const {
  if (options_.course.given() || (!options_.fixed_size.empty() && run.lambda == 0)) return;
  std::vector<UnitEvent> removed;
  NetState plain = unlearned(run.kept, removed);
  validate(plain, data, workspace);
  if (plain.criterion > run.kept.criterion) return;
  const Statistics<float> fixed = statistics(plain.network, data, workspace);
  const LossSum sum = evaluate(compute_, plain.network, fixed, *data.train, data.train_rows, workspace);
  plain.train_loss = sum.loss / total_weight(*data.train, data.train_rows);
  report.kept_error = plain.validation_error;
  run.kept = plain;
  run.current = std::move(plain);
  report.unlearned = std::move(removed);
}

EpochReport Trainer::begin_report(const NetRun& run) const {
  EpochReport report;
  report.net = run.id;
  report.epoch = run.epoch + 1;
  report.phase = run.protocol.phase();
  report.step = run.protocol.step();
  report.step_name = step_name(options_);
  report.lambda = run.protocol.shrinks() ? run.lambda : 0;
  return report;
}

void Trainer::tell_steps(std::span<const StepTally> tallies, EpochReport& report) {
  for (const StepTally& tally : tallies) {
    if (tally.steps == 0) continue;  // of an optimizer that turns nothing
    report.layer_steps.push_back({tally.steps, tally.flips, tally.held, tally.mean_angle()});
  }
}

void Trainer::end_steps(NetRun& run, double train_loss, EpochReport& report) {
  ++run.epoch;
  run.current.epoch = run.epoch;
  run.current.train_loss = train_loss;
  report.steps = run.steps;
  report.train_loss = train_loss;
}

Verdict Trainer::judge(NetRun& run, EpochReport& report) const {
  Verdict verdict;
  report.validation_error = run.current.validation_error;
  report.criterion = run.current.criterion;
  if (!std::isfinite(run.current.criterion)) {
    run.protocol.set_failed();
    verdict.rewind = true;
  } else {
    verdict = run.protocol.advance(run.current.criterion, !report.died.empty());
    run.stopped = run.steps >= options_.max_steps || run.epoch >= options_.max_epochs;
    // A run cut short keeps its last state beside the best one: the user chooses which is written.
    const bool cut_short = run.stopped && run.protocol.running();
    if (cut_short && options_.keep == Keep::last) verdict.rewind = false;
  }
  if (verdict.rewind) report.rewound_to = run.kept.epoch;
  report.next_phase = run.protocol.phase();
  report.running = run.running();
  report.kept_error = verdict.keep ? run.current.validation_error : run.kept.validation_error;
  const bool by_error = run.current.criterion == run.current.validation_error;
  report.lowest = by_error ? run.protocol.lowest_error() : report.kept_error;
  report.waited = run.protocol.waited();
  report.patience = run.protocol.patience();
  report.to_go = epochs_to_go(run, options_);
  return verdict;
}

}  // namespace coppice
