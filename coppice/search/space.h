#pragma once

#include "coppice/core/choices.h"
#include "coppice/core/export.h"
#include "coppice/search/trial.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coppice {

/// Steps to try: a grid takes each of the values, a random search draws from between low and high, uniformly in
/// their logarithm.
struct StepSpace {
  std::vector<double> values;
  double low = 0;
  double high = 0;

  COPPICE_API StepSpace scaled(double factor) const;
  bool operator==(const StepSpace&) const = default;
};

/// Units that a random search may give a hidden layer, both ends included.
struct LayerRange {
  std::size_t low = 1;
  std::size_t high = 1;
  bool operator==(const LayerRange&) const = default;
};

// What the paper tried: steps 1, 3, 10, ..., 100,000; all optimizers of nets of fixed size; batch normalisation.
COPPICE_API StepSpace paper_steps();
COPPICE_API std::vector<OptimizerKind> paper_optimizers();
COPPICE_API std::vector<Norm> paper_norms();

/// RMSprop and Adam divide gradients by the root of their mean square, so a step of 1 moves every weight by about 1. For
/// them a step s of the others' stands for s times this.
constexpr double normalised_scale = 1e-5;

/// Whether the optimizer's steps are those of normalised gradients.
constexpr bool normalises(OptimizerKind kind) {
  return kind == OptimizerKind::rmsprop || kind == OptimizerKind::adam;
}

enum class SearchKind : std::uint8_t {
  grid,    ///< every combination
  random,  ///< so many of them, drawn at random
};

/// What a search goes through, and how. Defaults are those of the paper's protocol, but for the sizes.
struct SearchSpace {
  SearchKind kind = SearchKind::random;
  std::vector<OptimizerKind> optimizers = paper_optimizers();
  std::vector<Norm> norms = paper_norms();
  StepSpace steps = paper_steps();                                      ///< of sgd, momentum, nesterov
  StepSpace normalised_steps = paper_steps().scaled(normalised_scale);  ///< of rmsprop, adam
  std::vector<std::vector<std::size_t>> sizes;                          ///< of a grid: hidden units per layer
  std::vector<LayerRange> layers;  ///< of a random search; empty: from the rows
  std::size_t trials = 50;         ///< of a random search
  std::size_t reruns = 1;          ///< seeds that the best settings are trained with in the end
  std::size_t top = 10;            ///< how many settings are those

  const StepSpace& steps_of(OptimizerKind optimizer) const {
    return normalises(optimizer) ? normalised_steps : steps;
  }
  bool operator==(const SearchSpace&) const = default;
};

/// Widths for a random search on so many training rows: two layers of up to 500 units, on small data down to 100, and from a
/// fiftieth of that.
COPPICE_API std::vector<LayerRange> default_layers(std::size_t train_rows);

/// What the space comes to: a grid or random trials.
COPPICE_API std::vector<Trial> trials_of(const SearchSpace& space, std::uint64_t seed);

/// Every combination: sizes, then optimizers, then norms, then steps.
std::vector<Trial> grid_trials(const SearchSpace& space, std::uint64_t seed);

/// So many combinations drawn at random; one that is drawn again is left out, or it would pass for a setting with several
/// seeds. Each is named by its number, so a longer list begins with a shorter one. Steps are rounded to three digits, so
/// that they can be typed.
std::vector<Trial> random_trials(const SearchSpace& space, std::size_t count, std::uint64_t seed);

}  // namespace coppice
