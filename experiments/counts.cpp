#include "experiments/counts.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

constexpr std::array<NamedCount, 44> all_counts{{{"mnist-rows", &Counts::mnist_rows, 6'000},
                                                 {"mnist-test", &Counts::mnist_test, 5'000},
                                                 {"rectangles-rows", &Counts::rectangles_rows, 1'200},
                                                 {"rectangles-test", &Counts::rectangles_test, 1'000},
                                                 {"convex-rows", &Counts::convex_rows, 1'200},
                                                 {"convex-test", &Counts::convex_test, 1'000},
                                                 {"poker-rows", &Counts::poker_rows, 30'000},
                                                 {"poker-validation", &Counts::poker_validation, 5'000},
                                                 {"poker-test", &Counts::poker_test, 5'000},
                                                 {"lambdas", &Counts::lambdas, 2},
                                                 {"lambda-times", &Counts::lambda_times, 3},
                                                 {"poker-lambdas", &Counts::poker_lambdas, 1},
                                                 {"seeds", &Counts::seeds, 3},
                                                 {"grid-steps", &Counts::grid_steps, 3},
                                                 {"optimizers", &Counts::optimizers, 2},
                                                 {"best", &Counts::best, 2},
                                                 {"trials", &Counts::trials, 4},
                                                 {"poker-steps", &Counts::poker_steps, 2},
                                                 {"compared-steps", &Counts::compared_steps, 2},
                                                 {"run-seeds", &Counts::run_seeds, 1},
                                                 {"why-sets", &Counts::why_sets, 2},
                                                 {"why-steps", &Counts::why_steps, 1},
                                                 {"step-sets", &Counts::step_sets, 10},
                                                 {"step-lambdas", &Counts::step_lambdas, 2},
                                                 {"grid-sets", &Counts::grid_sets, 2},
                                                 {"grid-lambdas", &Counts::grid_lambdas, 3},
                                                 {"grid-alphas", &Counts::grid_alphas, 4},
                                                 {"grid-patience", &Counts::grid_patience, 100},
                                                 {"table-rows", &Counts::table_rows, 600},
                                                 {"table-test", &Counts::table_test, 1'000},
                                                 {"angle-sets", &Counts::angle_sets, 3},
                                                 {"angle-steps", &Counts::angle_steps, 2},
                                                 {"settings-sets", &Counts::settings_sets, 1},
                                                 {"kinks-sets", &Counts::kinks_sets, 3},
                                                 {"kinks-arms", &Counts::kinks_arms, 5},
                                                 {"changes-sets", &Counts::changes_sets, 3},
                                                 {"changes-arms", &Counts::changes_arms, 7},
                                                 {"theory-rows", &Counts::theory_rows, 100},
                                                 {"theory-widths", &Counts::theory_widths, 5},
                                                 {"theory-steps", &Counts::theory_steps, 400},
                                                 {"epochs", &Counts::epochs, 100},
                                                 {"unit-lifetime", &Counts::unit_lifetime, 10},
                                                 {"short-protocol", &Counts::short_protocol, 1},
                                                 {"milliseconds", &Counts::milliseconds, 30}}};

const NamedCount& count_named(const std::string& name, const std::string& text) {
  const auto* found = std::ranges::find(all_counts, name, &NamedCount::name);
  if (found != all_counts.end()) return *found;
  std::vector<std::string> names;
  for (const NamedCount& count : all_counts) names.emplace_back(count.name);
  fail("--set {}: there is no count of that name; those there are: {}", cited(text), listed(names, 40));
}

}  // namespace

std::span<const NamedCount> named_counts() {
  return all_counts;
}

Counts counts_of(const std::string& scale) {
  Counts counts;
  if (scale == "paper") return counts;
  if (scale != "small") fail("--scale {}: must be small or paper", cited(scale));
  for (const NamedCount& count : all_counts) counts.*count.value = count.small;
  return counts;
}

void set_count(Counts& counts, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const NamedCount& count = count_named(name, text);
  const double value =
      equals == std::string::npos ? -1 : parse_number(trim(text.substr(equals + 1))).value_or(-1);
  const double least = count.value == &Counts::short_protocol ? 0 : 1;
  if (!(value >= least && value <= 1e9) || value != std::floor(value))
    fail("--set {}: needs NAME=N with a whole number, at least {} and at most 1000000000", cited(text),
         least);
  counts.*count.value = static_cast<std::size_t>(value);
}

std::string changes_text(const Counts& counts, const Counts& before) {
  std::vector<std::string> parts;
  for (const auto& [name, value, small] : all_counts) {
    if (counts.*value != before.*value) parts.push_back(fmt::format("{}={}", name, counts.*value));
  }
  return joined(parts, ",");
}

std::vector<double> from_the_middle(const std::vector<double>& values, std::size_t count) {
  if (values.size() <= count) return values;
  const auto first = static_cast<std::ptrdiff_t>((values.size() - count) / 2);
  return {values.begin() + first, values.begin() + first + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace coppice::experiments
