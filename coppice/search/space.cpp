#include "coppice/search/space.h"

#include "coppice/core/elementary.h"
#include "coppice/core/random.h"
#include "coppice/core/text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace coppice {

namespace {

double draw_step(Random& random, const StepSpace& steps) {
  const double step = steps.low * elementary::pow(steps.high / steps.low, random.uniform());
  return std::clamp(rounded_to(step, 3), steps.low, steps.high);
}

template <class T>
const T& draw_one(Random& random, const std::vector<T>& choices) {
  return choices[random.below(choices.size())];
}

}  // namespace

StepSpace StepSpace::scaled(double factor) const {
  const auto times = [&](double step) {
    return rounded_to(step * factor, 12);
  };  // 3e-05, not 3.0000000000000004e-05
  StepSpace result{.values = values, .low = times(low), .high = times(high)};
  std::ranges::transform(values, result.values.begin(), times);
  return result;
}

StepSpace paper_steps() {
  return {.values = {1, 3, 10, 30, 100, 300, 1000, 3000, 10'000, 30'000, 100'000}, .low = 1, .high = 100'000};
}

std::vector<OptimizerKind> paper_optimizers() {
  return {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::nesterov, OptimizerKind::rmsprop,
          OptimizerKind::adam};
}

std::vector<Norm> paper_norms() {
  return {Norm::batchnorm, Norm::batchnorm_affine};
}

std::vector<LayerRange> default_layers(std::size_t train_rows) {
  const std::size_t most = std::clamp<std::size_t>(train_rows / 100, 100, 500);
  return std::vector<LayerRange>(2, {.low = most / 50, .high = most});
}

std::vector<Trial> trials_of(const SearchSpace& space, std::uint64_t seed) {
  return space.kind == SearchKind::grid ? grid_trials(space, seed) : random_trials(space, space.trials, seed);
}

std::vector<Trial> grid_trials(const SearchSpace& space, std::uint64_t seed) {
  std::vector<Trial> trials;
  for (const std::vector<std::size_t>& size : space.sizes) {
    for (const OptimizerKind optimizer : space.optimizers) {
      for (const Norm norm : space.norms) {
        for (const double step : space.steps_of(optimizer).values)
          trials.push_back(
              {.hidden = size, .optimizer = optimizer, .step = step, .norm = norm, .seed = seed});
      }
    }
  }
  return trials;
}

std::vector<Trial> random_trials(const SearchSpace& space, std::size_t count, std::uint64_t seed) {
  std::vector<Trial> trials;
  std::set<Trial> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    Random random(seed, Purpose::search, static_cast<std::uint32_t>(i));
    Trial trial{.hidden = {},
                .optimizer = draw_one(random, space.optimizers),
                .step = 0,
                .norm = draw_one(random, space.norms),
                .seed = seed};
    trial.step = draw_step(random, space.steps_of(trial.optimizer));
    for (const LayerRange& layer : space.layers)
      trial.hidden.push_back(layer.low + random.below(layer.high - layer.low + 1));
    if (drawn.insert(trial).second) trials.push_back(std::move(trial));
  }
  return trials;
}

}  // namespace coppice
