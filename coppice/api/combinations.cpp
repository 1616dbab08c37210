#include "coppice/api/combinations.h"

#include "coppice/api/setting_builder.h"
#include "coppice/core/fail.h"
#include "coppice/training/options.h"

#include <utility>
#include <variant>

namespace coppice {

namespace {

bool is_set(const Options& options, const char* name) {
  return !find_setting(name)->get(options).is_null();
}

OptimizerKind optimizer_of(const Options& options) {
  return options.optimizer.value_or(TrainingOptions{}.optimizer);
}

bool is_fixed(const Options& options) {
  return !options.fixed_size.empty();
}

void check_fixed_size(const Options& options) {
  const bool shrinks = !options.lambdas.empty();
  for (const char* name : {"grow-epochs", "start-units", "add-units", "additions-per-epoch"}) {
    if (is_set(options, name)) {
      fail_option(
          name,
          "`{}`: a net of `fixed-size` has its size from the start and does not grow; leave one of them out",
          name);
    }
  }
  for (const char* name :
       {"path", "unit-lifetime", "settle-epochs", "regularizer", "penalty-power", "layer-lambdas"}) {
    if (!shrinks && is_set(options, name)) {
      fail_option(name,
                  "`{}`: belongs to the penalty on size, which a net of `fixed-size` has only with `lambda`; "
                  "leave it "
                  "out or give `lambda`",
                  name);
    }
  }
  if (options.hidden_layers && *options.hidden_layers != options.fixed_size.size()) {
    fail_option(
        "hidden-layers",
        "`hidden-layers` {}: `fixed-size` tells the units of {} hidden layers; leave `hidden-layers` out",
        *options.hidden_layers, options.fixed_size.size());
  }
  if (options.warm_start) {
    fail_option("warm-start",
                "`warm-start`: a net of `fixed-size` begins with random weights; leave one of them out");
  }
  if (turns_fan_ins(optimizer_of(options)) && !options.radial_step && !shrinks) {
    fail_option(
        "fixed-size",
        "`fixed-size`: the radial step of {} follows from lambda, which is 0 in a net of fixed size; give "
        "`radial-step`, `lambda`, or another `optimizer`",
        name_of(optimizer_of(options)));
  }
}

void check_regularizer(const Options& options) {
  const OptimizerKind optimizer = optimizer_of(options);
  if (turns_fan_ins(optimizer) && options.regularizer == Fan::fan_out) {
    fail_option(
        "regularizer",
        "`regularizer` fan-out: {} moves the lengths of fan-ins apart from their directions, and only those "
        "can be shrunk apart, too; use `optimizer` sgd, momentum or nesterov",
        name_of(optimizer));
  }
  if (turns_fan_ins(optimizer) && options.penalty_power.value_or(2) != 2) {
    fail_option(
        "penalty-power",
        "`penalty-power` {}: {} shrinks the lengths of fan-ins, not single weights; use `optimizer` sgd, "
        "momentum or nesterov",
        *options.penalty_power, name_of(optimizer));
  }
  const std::size_t factors = options.layer_lambdas.size();
  const std::size_t layers = is_fixed(options)
                                 ? options.fixed_size.size()
                                 : options.hidden_layers.value_or(TrainingOptions{}.hidden_layers);
  if (factors != 0 && factors != layers + 1) {
    fail_option("layer-lambdas",
                "`layer-lambdas`: {} hidden layers and the output layer need {} factors, {} were given",
                layers, layers + 1, factors);
  }
}

/// What a net that a penalty sizes cannot have.
void check_shrinking(const Options& options) {
  const char* instead = is_fixed(options) ? "leave `lambda` out" : "use `fixed-size`";
  const OptimizerKind optimizer = optimizer_of(options);
  if (!is_fixed(options) && (optimizer == OptimizerKind::rmsprop || optimizer == OptimizerKind::adam)) {
    fail_option(
        "optimizer",
        "`optimizer` {}: rescales the gradient of every weight, and the shrinkage that sizes the network "
        "would have to be rescaled with it, which takes new units away before they learn; {}, or use one of "
        "adarad, adarad-m, sgd, momentum, nesterov",
        name_of(optimizer), instead);
  }
  if (options.capped_batchnorm.value_or(false)) {
    fail_option("capped-batchnorm",
                "`capped-batchnorm`: nets that a penalty sizes have no batch normalisation; leave it out");
  }
  if (options.norm == Norm::batchnorm || options.norm == Norm::batchnorm_affine) {
    fail_option(
        "norm",
        "`norm` {}: undoes every change of a fan-in's length, and a penalty on lengths then says nothing "
        "about units; {}, or use `norm` capnorm",
        name_of(*options.norm), instead);
  }
  check_regularizer(options);
}

/// A layer of thousands of units costs hours a step before the penalty can take any of them away.
void check_growth(const Options& options) {
  constexpr double most = 10'000;
  const double units = options.add_units.value_or(1) * options.additions_per_epoch.value_or(1);
  if (units <= most) return;
  const char* name = options.additions_per_epoch ? "additions-per-epoch" : "add-units";
  fail_option(
      name,
      "`{}`: every hidden layer would get {:g} units an epoch (`add-units` times `additions-per-epoch`), and "
      "{:g} is the most; give less",
      name, units, most);
}

std::optional<double> as_number(const std::optional<std::size_t>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

void check_steps(const Options& options) {
  const OptimizerKind optimizer = optimizer_of(options);
  if (options.angle && options.angular_step) {
    fail_option("angle",
                "`angle` {:g}: `angular-step` {:g} is given too, and both say how fast fan-ins turn; give "
                "one of them",
                *options.angle, *options.angular_step);
  }
  if (!turns_fan_ins(optimizer)) {
    if (options.radial_step)
      fail_option("radial-step", "`radial-step`: {} has one step; use `step`", name_of(optimizer));
    for (const char* name : {"angle", "angular-step"}) {
      if (is_set(options, name))
        fail_option(name, "`{}`: {} does not turn fan-ins; use `step`", name, name_of(optimizer));
    }
    for (const auto& [name, value] :
         {std::pair("trust-region", options.trust_region),
          std::pair("relative-epsilon", options.relative_epsilon),
          std::pair("peak-half-life", options.peak_half_life), std::pair("kink-step", options.kink_step),
          std::pair("output-scale-step", options.output_scale_step),
          std::pair("capnorm-rows", as_number(options.capnorm_rows)),
          std::pair("radial-rule", std::optional<double>(static_cast<double>(
                                       options.radial_rule.value_or(RadialRule::linear)))),
          std::pair("relative-shrinkage",
                    std::optional<double>(options.relative_shrinkage.value_or(false) ? 1 : 0))}) {
      if (value.value_or(0) > 0)
        fail_option(name, "`{}`: {} does not turn fan-ins; leave it out", name, name_of(optimizer));
    }
    return;
  }
  if (const double trust = options.trust_region.value_or(0); trust > 0 && trust <= 1) {
    fail_option("trust-region",
                "`trust-region` {:g}: a length may grow by that factor in a step, so it must be above 1; or "
                "0 for none",
                trust);
  }
  if (options.peak_half_life.value_or(0) > 0 && options.angle) {
    fail_option("peak-half-life",
                "`peak-half-life` {:g}: `angle` says by how much fan-ins turn, whatever the largest angular "
                "part was; give `angular-step` instead, or leave one of them out",
                *options.peak_half_life);
  }
  if (options.step) {
    fail_option("step", "`step`: {} has an angular and a radial step; use `angular-step` and `radial-step`",
                name_of(optimizer));
  }
  if (options.norm == Norm::batchnorm_affine) {
    fail_option(
        "norm",
        "`norm` batchnorm-affine: {} turns fan-ins and has no rule for free means and variances; use `norm` "
        "batchnorm or another `optimizer`",
        name_of(optimizer));
  }
}

/// Offsets of kinks, in deviations that CapNorm measures.
void check_kinks(const Options& options) {
  const Norm norm = options.norm.value_or(TrainingOptions{}.norm);
  if (options.capnorm_rows.value_or(0) > 0 && norm != Norm::capnorm) {
    fail_option("capnorm-rows",
                "`capnorm-rows` {}: `norm` {} remembers none; use `norm` capnorm or leave it out",
                *options.capnorm_rows, name_of(norm));
  }
  if (options.kinks.value_or(0) == 0) {
    if (options.kink_step.value_or(0) > 0)
      fail_option("kink-step",
                  "`kink-step` {:g}: moves the offsets that `kinks` gives; give that, too, such as 0.1",
                  *options.kink_step);
    return;
  }
  if (norm != Norm::capnorm) {
    fail_option(
        "kinks",
        "`kinks` {:g}: counts deviations that CapNorm measures, and the hidden layers have `norm` {}; "
        "use `norm` capnorm or leave `kinks` out",
        *options.kinks, name_of(norm));
  }
  if (options.activation == Activation::identity) {
    fail_option("kinks", "`kinks` {:g}: `activation` identity has no kink; leave one of them out",
                *options.kinks);
  }
}

/// `wanted`: the setting that asks for folds.
void check_folds(const Options& options, const char* wanted) {
  if (!std::holds_alternative<std::monostate>(options.validation)) {
    fail_option("validation",
                "`validation`: the nets of an ensemble validate on its folds; leave it or `{}` out", wanted);
  }
  if (options.seeds.value_or(1) > 1) {
    fail_option("seeds", "`seeds` {}: every net of an ensemble has a seed of its own; leave it or `{}` out",
                *options.seeds, wanted);
  }
  if (options.time) {
    fail_option("time", "`time`: the last rows validate, which only one net can have; leave it or `{}` out",
                wanted);
  }
}

/// What a net that an ensemble teaches cannot have, and what would ask for another one.
void check_distil(const Options& options) {
  if (options.distil != Distil::on) return;
  check_folds(options, "distil");
  for (const char* name : {"max-parameters", "max-bytes", "fixed-size", "warm-start"}) {
    if (is_set(options, name)) {
      fail_option(name,
                  "`{}`: what nets that teach another one come to has no bound; leave it or `distil` out",
                  name);
    }
  }
  if (options.refit == Refit::on) {
    fail_option("refit",
                "`refit`: a net that others teach has learned from all rows; leave it or `distil` out");
  }
}

bool is_share(const HeldOut& rows) {
  return std::holds_alternative<double>(rows);
}

/// Columns that say how rows are split, where nothing is left for them to say, or two say different things.
void check_splits(const Options& options) {
  if (options.time && (options.group || options.fold)) {
    const char* other = options.group ? "group" : "fold";
    fail_option("time", "`time` and `{}` both say which rows validate; leave one of them out", other);
  }
  const bool validation_told = !std::holds_alternative<std::monostate>(options.validation);
  if (options.fold && validation_told)
    fail_option("fold", "`fold` says which rows validate; leave it or `validation` out");
  for (const char* name : {"group", "time"}) {
    if (!is_set(options, name) || !validation_told || is_share(options.validation) || is_share(options.test))
      continue;
    fail_option(
        name,
        "`{}`: `validation` tells the rows, so none are left to split by a column; leave one of them out",
        name);
  }
}

/// Passes over shares of the rows are there for the nets of the paper alone.
void check_rows_over_ranks(const Options& options) {
  if (!options.rows_over_ranks.value_or(false)) return;
  const auto refuse = [](const char* name, const char* why) {
    fail_option(name, "`{}`: {}; leave it or `rows-over-ranks` out", name, why);
  };
  if (options.device.value_or(Device::cpu) == Device::cuda)
    refuse("device", "processors pass over shared rows");
  if (options.norm.value_or(Norm::capnorm) == Norm::batchnorm ||
      options.norm.value_or(Norm::capnorm) == Norm::batchnorm_affine)
    refuse("norm", "shared rows are normalised by capnorm or not at all");
  if (options.regularizer.value_or(Fan::fan_in) == Fan::fan_out)
    refuse("regularizer", "zero units learn from rows of one process alone");
  if (options.portable_math.value_or(false))
    refuse("portable-math", "passes over shared rows round as each processor does");
  if (options.kinks.value_or(0) > 0) refuse("kinks", "shared rows have kinks at the mean alone");
  if (options.capnorm_rows.value_or(0) > 0) refuse("capnorm-rows", "shared rows are not remembered");
  if (options.output_scale_step.value_or(0) > 0)
    refuse("output-scale-step", "outputs of shared rows have no factor");
  if (options.encode == Encode::bins) refuse("encode", "shared rows have no bins");
  if (options.distil == Distil::on) refuse("distil", "a net that is taught has rows of its own");
  if (options.max_parameters) refuse("max-parameters", "nets that fill a budget see columns of their own");
  if (options.max_bytes) refuse("max-bytes", "nets that fill a budget see columns of their own");
}

}  // namespace

void refuse_combinations(const Options& options) {
  if (options.bytes_for.value_or(BytesFor::model) != BytesFor::model && !options.max_bytes)
    fail_option("for", "`for` {} says what `max-bytes` counts; give that too, or leave it out",
                name_of(*options.bytes_for));
  if (options.ensemble.value_or(1) > 1) check_folds(options, "ensemble");
  check_distil(options);
  if (!options.lambdas.empty() && options.path)
    fail_option("path", "`path` finds lambdas by itself; leave it or `lambda` out");
  if (is_fixed(options)) check_fixed_size(options);
  if (!is_fixed(options) || !options.lambdas.empty()) check_shrinking(options);
  check_growth(options);
  check_steps(options);
  check_kinks(options);
  check_splits(options);
  check_rows_over_ranks(options);
}

}  // namespace coppice
