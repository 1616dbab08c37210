#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::experiments {

/// How much an entry does: the paper's protocol, or less of everything.
struct Counts {
  std::size_t mnist_rows = 60'000;  ///< to train and validate on
  std::size_t mnist_test = 10'000;
  std::size_t rectangles_rows = 12'000;
  std::size_t rectangles_test = 50'000;
  std::size_t convex_rows = 8'000;
  std::size_t convex_test = 50'000;
  std::size_t poker_rows = 800'000;  ///< to train on
  std::size_t poker_validation = 125'010;
  std::size_t poker_test = 100'000;

  std::size_t lambdas = 3;          ///< per data set, the largest first
  std::size_t lambda_times = 1;     ///< factor on lambdas of images: fewer rows want larger ones
  std::size_t poker_lambdas = 4;    ///< those around the middle
  std::size_t seeds = 10;           ///< nets per lambda, and reruns of a setting
  std::size_t grid_steps = 11;      ///< steps of the grid, per optimizer
  std::size_t optimizers = 5;       ///< parametric ones
  std::size_t best = 10;            ///< settings of a search that are rerun
  std::size_t trials = 500;         ///< settings of a random search
  std::size_t poker_steps = 9;      ///< steps of RMSprop on poker
  std::size_t compared_steps = 5;   ///< steps of RMSprop beside the run of figure 4
  std::size_t run_seeds = 10;       ///< nets of figure 4
  std::size_t why_sets = 4;         ///< data sets of why, MNIST first
  std::size_t why_steps = 3;        ///< steps of momentum there, and shares of smoothed labels (at most two)
  std::size_t step_sets = 10;       ///< data sets of step, MNIST and poker last
  std::size_t step_lambdas = 6;     ///< of them, the largest first
  std::size_t grid_sets = 4;        ///< data sets of grid, MNIST first
  std::size_t grid_lambdas = 13;    ///< the largest first
  std::size_t grid_alphas = 11;     ///< angular steps, the smallest first
  std::size_t grid_patience = 100;  ///< percent of the paper's
  std::size_t table_rows = 3'000;   ///< of generated tables, to train and validate on
  std::size_t table_test = 20'000;
  std::size_t angle_sets = 9;     ///< data sets of angle, MNIST last
  std::size_t angle_steps = 6;    ///< angles beside the default
  std::size_t settings_sets = 3;  ///< data sets of settings, poker last
  std::size_t kinks_sets = 9;     ///< data sets of kinks, MNIST last
  std::size_t kinks_arms = 5;     ///< without kinks, with kinks 0.5 and 1, and the two with a larger angle
  std::size_t changes_sets = 10;  ///< data sets of changes, MNIST last
  std::size_t changes_arms = 7;   ///< the default, four changes, three of them together, and all four
  std::size_t theory_rows = 400;  ///< that objectives are minimised on
  std::size_t theory_widths = 7;  ///< 1, 2, 4, ...
  std::size_t theory_steps = 3'000;
  std::size_t epochs = 1000;        ///< of figure 4: with units being added, and again without
  std::size_t unit_lifetime = 50;   ///< epochs, in figure 4
  std::size_t short_protocol = 0;   ///< 1: less patience than the paper's, no default nets beside them
  std::size_t milliseconds = 2000;  ///< that the time of an optimizer is measured for

  bool operator==(const Counts&) const = default;
};

/// A count by its name for --set, and what it is at scale small.
struct NamedCount {
  std::string_view name;
  std::size_t Counts::*value;
  std::size_t small;
};
std::span<const NamedCount> named_counts();

/// Those of --scale small or paper; fails on other words.
Counts counts_of(const std::string& scale);

/// Takes "seeds=5"; fails on other names and on what is no whole number above 0.
void set_count(Counts& counts, const std::string& text);

/// "seeds=5,trials=17": what makes `before` the counts; empty if they are the same.
std::string changes_text(const Counts& counts, const Counts& before);

/// At most `count` of the values: those around the middle.
std::vector<double> from_the_middle(const std::vector<double>& values, std::size_t count);

}  // namespace coppice::experiments
