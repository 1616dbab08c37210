#include "coppice/run/combinations.h"

#include "coppice/core/error.h"

#include <string_view>

namespace coppice {

namespace {

/// By the user; a configuration also holds what its effort filled in.
bool given(const RunOptions& options, const char* name) {
  return options.given.contains(name) && !options.filled.contains(name);
}

void check_fixed_size(const RunOptions& options) {
  const TrainingOptions& training = options.training;
  const bool shrinks = !options.lambdas.empty();
  if (training.grow_epochs > 0)
    fail("--grow-epochs: a net of --fixed-size does not grow; leave one of them out");
  for (const char* name : {"start-units", "add-units", "additions-per-epoch"}) {
    if (given(options, name))
      fail("--{}: a net of --fixed-size has its size from the start and does not grow; leave one of them out",
           name);
  }
  for (const char* name : {"path", "unit-lifetime", "settle-epochs"}) {
    // A configuration has every setting: the usual path was hardly asked for.
    const bool usual = std::string_view(name) == "path" && options.path == RunOptions{}.path;
    if (!shrinks && given(options, name) && !usual) {
      fail(
          "--{}: belongs to the penalty on size, which a net of --fixed-size has only with --lambda; leave "
          "it "
          "out or give --lambda",
          name);
    }
  }
  if (training.hidden_layers != TrainingOptions{}.hidden_layers &&
      training.hidden_layers != training.fixed_size.size()) {
    fail("--hidden-layers {}: --fixed-size tells the units of {} hidden layers; leave --hidden-layers out",
         training.hidden_layers, training.fixed_size.size());
  }
  const Regularizer& regularizer = training.regularizer;
  if (!shrinks && (!regularizer.shortens_fan_ins() || !regularizer.layer_factors.empty())) {
    fail(
        "--{}: belongs to the penalty on size, which --fixed-size is without; give --lambda, or leave it out",
        !regularizer.layer_factors.empty() ? "layer-lambdas"
        : regularizer.fan == Fan::fan_out  ? "regularizer"
                                           : "penalty-power");
  }
  if (!options.warm_start.empty())
    fail("--warm-start: a net of --fixed-size begins with random weights; leave one of them out");
  if (turns_fan_ins(training.optimizer) && training.radial_step == 0 && !shrinks) {
    fail(
        "--fixed-size: the radial step of {} follows from lambda, which is 0 in a net of fixed size; give "
        "--radial-step, --lambda, or another --optimizer",
        name_of(training.optimizer));
  }
}

void check_regularizer(const TrainingOptions& training) {
  const Regularizer& regularizer = training.regularizer;
  const std::string optimizer = name_of(training.optimizer);
  if (turns_fan_ins(training.optimizer) && regularizer.fan == Fan::fan_out) {
    fail(
        "--regularizer fan-out: {} moves the lengths of fan-ins apart from their directions, and only those "
        "can "
        "be shrunk apart, too; use --optimizer sgd, momentum or nesterov",
        optimizer);
  }
  if (turns_fan_ins(training.optimizer) && regularizer.power != 2) {
    fail(
        "--penalty-power {}: {} shrinks the lengths of fan-ins, not single weights; use --optimizer sgd, "
        "momentum "
        "or nesterov",
        regularizer.power, optimizer);
  }
  const std::size_t factors = regularizer.layer_factors.size();
  const std::size_t layers =
      training.fixed_size.empty() ? training.hidden_layers : training.fixed_size.size();
  if (factors != 0 && factors != layers + 1) {
    fail("--layer-lambdas: {} hidden layers and the output layer need {} factors, {} were given", layers,
         layers + 1, factors);
  }
}

/// What a net that a penalty sizes cannot have.
void check_shrinking(const TrainingOptions& training) {
  const char* fixed = training.fixed_size.empty() ? "use --fixed-size" : "leave --lambda out";
  if (training.optimizer == OptimizerKind::rmsprop || training.optimizer == OptimizerKind::adam) {
    fail(
        "--optimizer {}: rescales the gradient of every weight, and the shrinkage that sizes the network "
        "would "
        "have to be rescaled with it, which takes new units away before they learn; {}, or use one of "
        "adarad, adarad-m, sgd, momentum, nesterov",
        name_of(training.optimizer), fixed);
  }
  if (training.norm == Norm::batchnorm || training.norm == Norm::batchnorm_affine) {
    fail(
        "--norm {}: undoes every change of a fan-in's length, and a penalty on lengths then says nothing "
        "about "
        "units; {}, or use --norm capnorm",
        name_of(training.norm), fixed);
  }
  check_regularizer(training);
}

void check_steps(const RunOptions& options) {
  const TrainingOptions& training = options.training;
  const std::string optimizer = name_of(training.optimizer);
  if (turns_fan_ins(training.optimizer)) {
    if (training.step > 0)
      fail("--step: {} has an angular and a radial step; use --angular-step and --radial-step", optimizer);
    if (training.norm == Norm::batchnorm_affine) {
      fail(
          "--norm batchnorm-affine: {} turns fan-ins and has no rule for free means and variances; use "
          "--norm "
          "batchnorm or another --optimizer",
          optimizer);
    }
  } else if (training.radial_step > 0) {
    fail("--radial-step: {} has one step; use --step", optimizer);
  } else {
    for (const char* name : {"angle", "angular-step"}) {
      if (given(options, name)) fail("--{}: {} does not turn fan-ins; use --step", name, optimizer);
    }
  }
}

}  // namespace

void refuse_combinations(const RunOptions& options) {
  const bool fixed = !options.training.fixed_size.empty();
  if (fixed) check_fixed_size(options);
  if (!fixed || !options.lambdas.empty()) check_shrinking(options.training);
  check_steps(options);
}

}  // namespace coppice
