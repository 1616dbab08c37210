#include "coppice/api/resolve.h"

#include "coppice/api/plan.h"
#include "coppice/api/variant.h"
#include "coppice/core/elementary.h"
#include "coppice/core/memory.h"
#include "coppice/device/threads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

namespace coppice {

namespace {

constexpr double usual_steps = 50;  ///< per epoch: MNIST, which all numbers below were found for
constexpr std::size_t smallest_batch = 32;
constexpr std::size_t largest_batch = 1000;
constexpr double image_validation = 1.0 / 6;  ///< MNIST's 50,000 to 10,000, also the paper's
constexpr double table_validation = 0.1;      ///< rows are few: what learns from more of them is better

struct Preset {
  double start_units;  ///< the most of them
  double add_units;
  double unit_lifetime;
  double patience;
  double settle_epochs;
  double fine_patience;
};
constexpr Preset quick{.start_units = 100,
                       .add_units = 1,
                       .unit_lifetime = 8,
                       .patience = 4,
                       .settle_epochs = 36,
                       .fine_patience = 1};
constexpr Preset normal{.start_units = 100,
                        .add_units = 2,
                        .unit_lifetime = 20,
                        .patience = 20,
                        .settle_epochs = std::numeric_limits<double>::infinity(),
                        .fine_patience = 2};
/// Nets of an ensemble that learn from many rows: what one of them lacks its average has.
constexpr Preset member{.start_units = 100,
                        .add_units = 2,
                        .unit_lifetime = 10,
                        .patience = 12,
                        .settle_epochs = 48,
                        .fine_patience = 2};
constexpr Preset paper{.start_units = 10,
                       .add_units = 1,
                       .unit_lifetime = 50,
                       .patience = 100,
                       .settle_epochs = std::numeric_limits<double>::infinity(),
                       .fine_patience = 5};

const Preset& preset_of(Effort effort, bool averaged) {
  if (effort == Effort::normal) return averaged ? member : normal;
  return effort == Effort::paper ? paper : quick;
}

/// More units to start with save the epochs of growing them, but few rows never fill a hundred.
double start_units(double most, std::size_t rows) {
  constexpr double rows_per_unit = 500;
  constexpr double fewest = 20;
  return std::clamp(std::round(static_cast<double>(rows) / rows_per_unit), std::min(fewest, most), most);
}

template <class T, class V>
void fill(std::optional<T>& field, V value) {
  if (!field) field = static_cast<T>(value);
}

/// What neither effort nor data decide.
void fill_standard(Options& o) {
  const TrainingOptions t;
  fill(o.seed, std::uint64_t{0});
  fill(o.encode, Encode::automatic);
  fill(o.hidden_layers, o.fixed_size.empty() ? t.hidden_layers : o.fixed_size.size());
  fill(o.norm, t.norm);
  fill(o.activation, t.activation);
  fill(o.output_capnorm, t.output_capnorm);
  fill(o.capped_batchnorm, t.capped_batchnorm);
  fill(o.prior_offset, t.prior_offset);
  fill(o.kinks, t.kinks);
  fill(o.kink_step, t.kink_step);
  fill(o.output_scale_step, t.output_scale_step);
  fill(o.capnorm_rows, t.capnorm_rows);
  fill(o.regularizer, t.regularizer.fan);
  fill(o.penalty_power, t.regularizer.power);
  fill(o.path, std::size_t{5});
  fill(o.seeds, std::size_t{1});
  fill(o.repeat, std::size_t{1});
  fill(o.pick, Pick::best);
  fill(o.bytes_for, BytesFor::model);
  fill(o.optimizer, t.optimizer);
  fill(o.effort, Effort::normal);
  fill(o.mixing_rate, t.mixing_rate);
  fill(o.momentum_rate, t.momentum_rate);
  fill(o.epsilon, t.epsilon);
  fill(o.trust_region, t.trust_region);
  fill(o.relative_epsilon, t.relative_epsilon);
  fill(o.relative_shrinkage, t.relative_shrinkage);
  fill(o.radial_rule, t.radial_rule);
  fill(o.peak_half_life, t.peak_half_life);
  fill(o.label_smoothing, t.label_smoothing);
  fill(o.keep, t.keep);
}

/// What the effort decides, given the size of the data.
void fill_by_effort(Options& o, std::size_t rows, bool averaged) {
  const bool own_batch = o.batch_size.has_value();
  fill(o.batch_size, std::clamp(rows / static_cast<std::size_t>(usual_steps), smallest_batch, largest_batch));
  const double steps = static_cast<double>(rows) / static_cast<double>(*o.batch_size);
  const bool is_paper = o.effort == Effort::paper;
  fill(o.metric, is_paper || o.task == Task::regression ? Metric::error : Metric::log_loss);
  const Preset& preset = preset_of(*o.effort, averaged);
  // Epochs of many steps need fewer of them: the paper, too, cut its numbers for poker's 800 steps to a tenth.
  const double scale = is_paper ? 1.0 : std::sqrt(std::min(1.0, usual_steps / steps));
  if (o.fixed_size.empty()) fill(o.softenings, is_paper ? 0 : 3);
  fill(o.start_units, is_paper ? preset.start_units : start_units(preset.start_units, rows));
  fill(o.add_units, preset.add_units);
  fill(o.additions_per_epoch, 1 / scale);
  fill(o.unit_lifetime, preset.unit_lifetime * scale);
  fill(o.patience, preset.patience * scale);
  if (std::isfinite(preset.settle_epochs)) fill(o.settle_epochs, preset.settle_epochs * scale);
  fill(o.fine_patience, preset.fine_patience * scale);
  if (o.angle || o.angular_step) return;
  if (is_paper) {
    const double share = own_batch ? 1.0 : std::clamp(steps / usual_steps, 1 / usual_steps, 1.0);
    o.angular_step = TrainingOptions{}.angular_step * share;
  } else {
    o.angle = default_angle(*o.batch_size, steps);
  }
}

/// Of an ensemble for which nothing else is told.
std::size_t usual_nets(std::size_t rows) {
  constexpr std::size_t usual = 5;
  constexpr std::size_t of_few_rows =
      10;  // a tenth of them is more to learn from than a fifth is to validate on
  constexpr std::size_t fewest_for_ten = 200;
  return rows >= fewest_for_ten && rows <= few_rows ? of_few_rows : usual;
}

}  // namespace

Options standard_options() {
  Options options;
  fill_standard(options);
  return options;
}

double default_angle(std::size_t batch, double steps_per_epoch) {
  constexpr double on_mnist = 0.05;
  return on_mnist * std::sqrt(static_cast<double>(batch) / static_cast<double>(largest_batch)) *
         elementary::pow(std::min(1.0, usual_steps / steps_per_epoch), 0.75);
}

Options resolve(const Options& options, const DataFacts& facts) {
  Options complete = options;
  fill(complete.target, facts.target);
  fill(complete.task, facts.task);
  fill(complete.scale, facts.scaling);
  fill(complete.target_transform, facts.transform);
  fill(complete.distil, facts.taught ? Distil::on : Distil::off);
  fill(complete.ensemble, facts.taught ? 1 : std::max<std::size_t>(facts.folds, 1));
  if (const double share = validation_share(complete, facts.images); share > 0 && facts.folds == 0)
    complete.validation = share;
  if (!explores(options) || facts.images || facts.taught) fill(complete.refit, Refit::off);
  fill_standard(complete);
  fill_by_effort(complete, facts.train_rows, facts.folds > 0 && facts.train_rows > few_rows);
  return complete;
}

std::size_t nets_of_ensemble(const Options& options, bool image, std::size_t rows) {
  constexpr std::size_t fewest_rows = 40;
  constexpr std::size_t most_rows = 100'000;
  if (options.ensemble) return *options.ensemble;
  const bool free = explores(options) && std::holds_alternative<std::monostate>(options.validation) &&
                    !options.time && !budget_of(options).limited();
  if (!free || image || rows < fewest_rows || rows > most_rows) return 1;
  return usual_nets(rows);
}

std::size_t nets_of_teacher(const Options& options, bool image, std::size_t rows) {
  if (options.distil == Distil::off) return 0;
  if (options.distil) return options.ensemble.value_or(1) > 1 ? *options.ensemble : usual_nets(rows);
  constexpr std::size_t most_rows =
      10'000;  // of more, one net learns about as well by itself, in a fifth of the time
  if (options.ensemble != 1U || options.refit == Refit::on || options.effort == Effort::quick ||
      rows > most_rows)
    return 0;
  Options free = options;
  free.ensemble.reset();
  const std::size_t nets = nets_of_ensemble(free, image, rows);
  return nets > 1 ? nets : 0;
}

double validation_share(const Options& options, bool images) {
  if (options.fold) return 0;
  if (std::holds_alternative<std::monostate>(options.validation))
    return images || options.effort == Effort::paper ? image_validation : table_validation;
  const double* share = std::get_if<double>(&options.validation);
  return share != nullptr ? *share : 0;
}

EncodingOptions encoding_options(const Options& options) {
  return {.target = options.target.value_or(""),
          .ignore = options.ignore,
          .ids = options.ids,
          .categorical = options.categorical,
          .task = options.task,
          .scaling = options.scale,
          .tables = options.effort == Effort::paper ? Scaling::standard : Scaling::column,
          .transform = options.effort == Effort::paper && !options.target_transform
                           ? std::optional(TargetTransform::none)
                           : options.target_transform,
          .encode = options.encode,
          .split = {.group = options.group.value_or(""),
                    .time = options.time.value_or(""),
                    .fold = options.fold.value_or("")},
          .weight = options.weight.value_or("")};
}

TrainingOptions training_options(const Options& complete) {
  TrainingOptions t;
  t.hidden_layers = complete.hidden_layers.value();
  t.start_units = complete.start_units.value();
  t.fixed_size = complete.fixed_size;
  t.norm = complete.norm.value();
  t.activation = complete.activation.value();
  t.output_capnorm = complete.output_capnorm.value();
  t.capped_batchnorm = complete.capped_batchnorm.value();
  t.prior_offset = complete.prior_offset.value();
  t.kinks = complete.kinks.value();
  t.kink_step = complete.kink_step.value();
  t.output_scale_step = complete.output_scale_step.value();
  t.capnorm_rows = complete.capnorm_rows.value();
  t.metric = complete.metric.value();
  t.break_ties = complete.effort != Effort::paper;
  t.precision = complete.precision;
  t.optimizer = complete.optimizer.value();
  t.regularizer = {.fan = complete.regularizer.value(),
                   .power = complete.penalty_power.value(),
                   .layer_factors = complete.layer_lambdas};
  t.angular_step = complete.angular_step.value_or(t.angular_step);
  t.angle = complete.angle.value_or(0);
  t.unit_lifetime = complete.unit_lifetime.value();
  t.radial_step = complete.radial_step.value_or(0);
  t.add_units = complete.add_units.value();
  t.additions_per_epoch = complete.additions_per_epoch.value();
  t.step = complete.step.value_or(0);
  t.mixing_rate = complete.mixing_rate.value();
  t.momentum_rate = complete.momentum_rate.value();
  t.epsilon = complete.epsilon.value();
  t.trust_region = complete.trust_region.value();
  t.relative_epsilon = complete.relative_epsilon.value();
  t.relative_shrinkage = complete.relative_shrinkage.value();
  t.radial_rule = complete.radial_rule.value();
  t.peak_half_life = complete.peak_half_life.value();
  t.label_smoothing = complete.label_smoothing.value();
  t.batch_size = complete.batch_size.value();
  t.grow_epochs = complete.grow_epochs.value_or(0);
  t.softenings = complete.softenings.value_or(0);
  t.patience = complete.patience.value();
  t.settle_epochs = complete.settle_epochs.value_or(t.settle_epochs);
  t.fine_patience = complete.fine_patience.value();
  t.max_epochs = complete.max_epochs.value_or(t.max_epochs);
  t.max_steps = complete.max_steps.value_or(t.max_steps);
  t.keep = complete.keep.value();
  return t;
}

Budget budget_of(const Options& options) {
  Budget budget;
  budget.parameters = options.max_parameters.value_or(budget.parameters);
  budget.bytes = options.max_bytes.value_or(budget.bytes);
  return budget;
}

double memory_of(const Options& options) {
  return options.memory ? static_cast<double>(*options.memory) : usual_memory();
}

std::size_t thread_count(const Options& options) {
  return std::min(options.threads.value_or(std::max(1U, std::thread::hardware_concurrency())),
                  useful_threads());
}

}  // namespace coppice
