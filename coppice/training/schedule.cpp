#include "coppice/training/schedule.h"

#include "coppice/core/elementary.h"
#include "coppice/core/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace coppice {

std::size_t steps_per_epoch(std::size_t rows, const TrainingOptions& options) {
  return (rows + options.batch_size - 1) / options.batch_size;
}

std::size_t next_steps(const NetRun& run, std::size_t rows, const TrainingOptions& options) {
  const auto all = static_cast<double>(steps_per_epoch(rows, options));
  const auto wanted = static_cast<std::size_t>(std::ceil(run.protocol.epoch_share() * all));
  return std::min(wanted, options.max_steps - std::min(options.max_steps, run.steps));
}

Batch batch_at(std::size_t step, std::size_t rows, const TrainingOptions& options) {
  const std::size_t steps = steps_per_epoch(rows, options);
  const std::size_t first = step * rows / steps;
  return {.first = first, .count = (step + 1) * rows / steps - first};
}

std::vector<std::uint32_t> batch_order(std::uint64_t seed, std::size_t epoch,
                                       std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> order(rows.begin(), rows.end());
  Random(seed, Purpose::batch_order, static_cast<std::uint32_t>(epoch)).shuffle(order);
  return order;
}

std::size_t additions_due(std::size_t step, std::size_t steps_per_epoch, double additions_per_epoch) {
  const double rate = additions_per_epoch / static_cast<double>(steps_per_epoch);
  const auto reached = [&](std::size_t steps) {
    return std::floor(rate * static_cast<double>(steps) + 1e-9);
  };
  return static_cast<std::size_t>(reached(step + 1) - reached(step));
}

std::size_t units_added(const TrainingOptions& options, std::uint64_t seed, std::size_t step,
                        std::size_t addition, std::size_t layers, std::size_t layer) {
  const auto whole = static_cast<std::size_t>(options.add_units);
  if (static_cast<double>(whole) == options.add_units) return whole;
  return Random(seed, Purpose::growth_count, static_cast<std::uint32_t>(step),
                static_cast<std::uint32_t>(addition * layers + layer))
      .poisson(options.add_units);
}

double radial_step(const TrainingOptions& options, double lambda) {
  return options.radial_step > 0 ? options.radial_step : 1.0 / (options.unit_lifetime * lambda);
}

double first_step(const TrainingOptions& options, double lambda, std::size_t rows) {
  constexpr double normalised_step = 0.001;
  constexpr double plain_step = 0.1;
  if (turns_fan_ins(options.optimizer)) return options.angle > 0 ? options.angle : options.angular_step;
  if (options.step > 0) return options.step;
  const bool normalised =
      options.optimizer == OptimizerKind::rmsprop || options.optimizer == OptimizerKind::adam;
  if (normalised) return normalised_step;
  if (lambda > 0) return 1.0 / (options.unit_lifetime * lambda);
  return plain_step * static_cast<double>(steps_per_epoch(rows, options));
}

std::string_view step_name(const TrainingOptions& options) {
  if (!turns_fan_ins(options.optimizer)) return "step";
  return options.angle > 0 ? "angle" : "angular_step";
}

double living_time(const TrainingOptions& options, double lambda, std::size_t rows) {
  if (lambda == 0) return std::numeric_limits<double>::infinity();
  const double step =
      turns_fan_ins(options.optimizer) ? radial_step(options, lambda) : first_step(options, lambda, rows);
  return 1 / (step * lambda);
}

double epochs_to_go(const NetRun& run, const TrainingOptions& options) {
  if (!run.running()) return 0;
  const auto left = [](std::size_t most, std::size_t done) {
    return static_cast<double>(most) - static_cast<double>(done);
  };
  const double epochs = std::min(run.protocol.epochs_to_go(), left(options.max_epochs, run.epoch));
  if (run.steps == 0) return epochs;
  const double steps_of_epoch = static_cast<double>(run.steps) / static_cast<double>(run.epoch);
  return std::min(epochs, left(options.max_steps, run.steps) / steps_of_epoch);
}

namespace {

/// Per step: after peak_half_life epochs a peak is half as high.
double peak_decay(const TrainingOptions& options, std::size_t rows) {
  if (options.peak_half_life == 0) return 1;
  const auto steps = static_cast<double>(steps_per_epoch(rows, options));
  return elementary::exp(-std::numbers::ln2 / (options.peak_half_life * steps));
}

}  // namespace

StepSizes step_sizes(const NetRun& run, const TrainingOptions& options, double batch, double rows) {
  if (!turns_fan_ins(options.optimizer)) {
    const double step = run.protocol.step();
    const double lambda = run.protocol.shrinks() ? run.lambda : 0;
    return {.angular = 0, .radial = step, .shrinkage = step * lambda * batch / rows, .by_angle = false};
  }
  const double radial = radial_step(options, run.lambda);
  const double lambda = run.protocol.shrinks() ? run.lambda : 0;
  return {.angular = run.protocol.step(),
          .radial = radial,
          .shrinkage = radial * lambda * batch / rows,
          .by_angle = options.angle > 0,
          .trust = options.trust_region,
          .relative_epsilon = options.relative_epsilon,
          .relative_shrinkage = options.relative_shrinkage,
          .exponential = options.radial_rule == RadialRule::exponential,
          .peak_decay = peak_decay(options, static_cast<std::size_t>(rows))};
}

}  // namespace coppice
