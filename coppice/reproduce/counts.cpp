#include "coppice/reproduce/counts.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"

#include <algorithm>
#include <cmath>

namespace coppice::reproduce {

namespace {

Counts small_counts() {
  Counts counts;
  counts.mnist_rows = 6'000;
  counts.mnist_test = 5'000;
  counts.rectangles_rows = 1'200;
  counts.rectangles_test = 1'000;
  counts.convex_rows = 1'200;
  counts.convex_test = 1'000;
  counts.poker_rows = 30'000;
  counts.poker_validation = 5'000;
  counts.poker_test = 5'000;
  counts.lambdas = 2;
  counts.lambda_times = 3;
  counts.poker_lambdas = 1;
  counts.seeds = 3;
  counts.grid_steps = 3;
  counts.optimizers = 2;
  counts.best = 2;
  counts.trials = 4;
  counts.poker_steps = 2;
  counts.compared_steps = 2;
  counts.epochs = 100;
  counts.unit_lifetime = 10;
  counts.short_protocol = 1;
  counts.milliseconds = 30;
  return counts;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

std::vector<std::pair<std::string_view, std::size_t*>> named(Counts& counts) {
  return {{"mnist-rows", &counts.mnist_rows},
          {"mnist-test", &counts.mnist_test},
          {"rectangles-rows", &counts.rectangles_rows},
          {"rectangles-test", &counts.rectangles_test},
          {"convex-rows", &counts.convex_rows},
          {"convex-test", &counts.convex_test},
          {"poker-rows", &counts.poker_rows},
          {"poker-validation", &counts.poker_validation},
          {"poker-test", &counts.poker_test},
          {"lambdas", &counts.lambdas},
          {"lambda-times", &counts.lambda_times},
          {"poker-lambdas", &counts.poker_lambdas},
          {"seeds", &counts.seeds},
          {"grid-steps", &counts.grid_steps},
          {"optimizers", &counts.optimizers},
          {"best", &counts.best},
          {"trials", &counts.trials},
          {"poker-steps", &counts.poker_steps},
          {"compared-steps", &counts.compared_steps},
          {"epochs", &counts.epochs},
          {"unit-lifetime", &counts.unit_lifetime},
          {"short-protocol", &counts.short_protocol},
          {"milliseconds", &counts.milliseconds}};
}

Counts counts_of(const std::string& scale) {
  if (scale == "paper") return {};
  if (scale == "small") return small_counts();
  fail("--scale {}: must be small or paper", cited(scale));
}

void set_counts(Counts& counts, const std::string& text) {
  const auto all = named(counts);
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const auto found = std::ranges::find_if(all, [&](const auto& count) { return count.first == name; });
    if (found == all.end()) {
      std::vector<std::string> names;
      for (const auto& count : all) names.emplace_back(count.first);
      fail("--set {}: there is no count of that name; those there are: {}", cited(part), listed(names, 30));
    }
    const double value =
        equals == std::string::npos ? -1 : parse_number(trim(part.substr(equals + 1))).value_or(-1);
    const double least = name == "short-protocol" ? 0 : 1;
    if (!(value >= least && value <= 1e9) || value != std::floor(value))
      fail("--set {}: needs NAME=N with a whole number, at least {} and at most 1000000000", cited(part),
           least);
    *found->second = static_cast<std::size_t>(value);
  }
}

std::string changes_text(const Counts& counts, const Counts& before) {
  Counts now = counts;
  Counts then = before;
  const auto all = named(now);
  const auto old = named(then);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (*all[i].second != *old[i].second) parts.push_back(fmt::format("{}={}", all[i].first, *all[i].second));
  }
  return joined(parts, ",");
}

std::vector<double> from_the_middle(const std::vector<double>& values, std::size_t count) {
  if (values.size() <= count) return values;
  const auto first = static_cast<std::ptrdiff_t>((values.size() - count) / 2);
  return {values.begin() + first, values.begin() + first + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace coppice::reproduce
