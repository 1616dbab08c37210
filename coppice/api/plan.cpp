#include "coppice/api/plan.h"

#include "coppice/api/budget_plan.h"
#include "coppice/core/elementary.h"
#include "coppice/core/spread.h"
#include "coppice/core/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::size_t most_extensions = 4;  ///< lambdas beyond each end of a path
constexpr std::size_t most_finalists = 4;   ///< variants on the other folds, where rows are few
constexpr long most_searches = 4;           ///< nets between two of the front
constexpr double near_enough = 0.95;        ///< share of the budget that a net should use
constexpr double narrow = 1.1;              ///< ratio of lambdas that no longer matters

/// 1 or 3 times a power of ten, by its place on that scale.
double on_scale(long place) {
  const long decade = (place - (place & 1)) / 2;
  return parse_number(fmt::format("{}e{}", (place & 1) == 0 ? 1 : 3, decade)).value();
}

long place_of(double lambda) {
  return std::lround(2 * elementary::log10(lambda));
}

/// The nets of one lambda, seeds together.
struct Point {
  double lambda = 0;
  double error = 0;  ///< median
  std::vector<std::size_t> nets;
};

/// Points of the first round and of extensions, by falling lambda; nets for a budget, of other variants and of other
/// folds are left out.
std::vector<Point> path_points(std::span<const TrainedNet> nets) {
  std::map<double, Point, std::greater<>> points;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    const PlannedNet& net = nets[i].planned;
    if (net.searched || net.is_fixed() || net.variant != 0 || net.fold != 0) continue;
    Point& point = points[net.lambda];
    point.lambda = net.lambda;
    point.nets.push_back(i);
  }
  std::vector<Point> result;
  for (auto& [lambda, point] : points) {
    std::vector<double> errors;
    for (const std::size_t i : point.nets) errors.push_back(nets[i].result.error);
    point.error = spread_of(std::move(errors)).median;
    result.push_back(std::move(point));
  }
  return result;
}

/// All seeds of a new end of the path, each from the net of the same seed at the old end.
void extend(std::vector<PlannedNet>& planned, std::span<const TrainedNet> nets, const Point& end, long step) {
  const double lambda = on_scale(place_of(end.lambda) + step);
  for (const std::size_t i : end.nets)
    planned.push_back({.lambda = lambda, .seed = nets[i].planned.seed, .warm_from = i});
}

std::vector<PlannedNet> extensions(const PlanOptions& options, std::span<const TrainedNet> nets) {
  const std::vector<Point> points = path_points(nets);
  if (points.size() < 2) return {};
  const Point& large_lambda = points.front();
  const Point& small_lambda = points.back();
  const auto best = std::ranges::min_element(points, {}, &Point::error);
  if (!std::isfinite(best->error)) return {};
  double margin = 0;
  for (const std::size_t i : best->nets) margin = std::max(margin, nets[i].result.standard_error);

  std::vector<PlannedNet> planned;
  const auto added = [](double from, double to) {
    return static_cast<std::size_t>(std::max(0L, place_of(to) - place_of(from)));
  };
  const bool still_falling = small_lambda.error < (points.end() - 2)->error - margin;
  if (still_falling && added(small_lambda.lambda, options.lambdas.back()) < most_extensions)
    extend(planned, nets, small_lambda, -1);
  const bool too_good = large_lambda.error <= best->error + margin;
  const bool can_shrink = std::ranges::any_of(large_lambda.nets, [&](std::size_t i) {
    return nets[i].result.parameters > options.smallest_parameters;
  });
  const bool none_fits = options.fixed.layers == 0 && std::ranges::none_of(nets, [&](const TrainedNet& net) {
                           return options.budget.admits(net.result);
                         });
  if ((too_good || none_fits) && can_shrink &&
      added(options.lambdas.front(), large_lambda.lambda) < most_extensions)
    extend(planned, nets, large_lambda, +1);
  return planned;
}

/// Share of the budget that a net uses.
double used_of(const Budget& budget, const Candidate& net) {
  return std::max(static_cast<double>(net.parameters) / static_cast<double>(budget.parameters),
                  static_cast<double>(net.bytes) / static_cast<double>(budget.bytes));
}

/// A net between the last that fits and the first that does not, by bisection of their lambdas: as long as a net
/// that does not fit is better than all that do.
std::vector<PlannedNet> search(const PlanOptions& options, std::span<const TrainedNet> nets) {
  const auto fits = [&](const TrainedNet& net) { return options.budget.admits(net.result); };
  double best_fitting = HUGE_VAL;
  double best = HUGE_VAL;
  double used = 0;
  double upper = HUGE_VAL;
  for (const TrainedNet& net : nets) {
    if (!std::isfinite(net.result.error)) continue;
    best = std::min(best, net.result.error);
    if (!fits(net)) continue;
    best_fitting = std::min(best_fitting, net.result.error);
    if (net.planned.is_fixed()) continue;
    used = std::max(used, used_of(options.budget, net.result));
    upper = std::min(upper, net.planned.lambda);
  }
  if (std::isinf(upper) || !(best < best_fitting) || used >= near_enough) return {};
  std::optional<std::size_t> lower;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    if (nets[i].planned.is_fixed() || fits(nets[i]) || nets[i].planned.lambda >= upper) continue;
    if (!lower || nets[i].planned.lambda > nets[*lower].planned.lambda) lower = i;
  }
  if (!lower || upper < narrow * nets[*lower].planned.lambda) return {};
  return {{.lambda = std::sqrt(upper * nets[*lower].planned.lambda),
           .seed = nets[*lower].planned.seed,
           .warm_from = lower,
           .searched = true}};
}

/// Whether it began as the net of a smaller lambda: one that begins small may learn nothing at its own.
bool was_shrunk(std::span<const TrainedNet> nets, const PlannedNet& net) {
  return net.warm_from && net.lambda > nets[*net.warm_from].planned.lambda;
}

/// Of all nets of this variant that validated on this fold the best that others can be begun like; none if none came to
/// anything.
std::optional<std::size_t> best_on(std::span<const TrainedNet> nets, std::size_t variant, std::size_t fold) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    const TrainedNet& net = nets[i];
    if (net.planned.variant != variant || net.planned.fold != fold || !std::isfinite(net.result.error))
      continue;
    if (net.planned.is_fixed() || was_shrunk(nets, net.planned)) continue;
    if (!best || net.result.error < nets[*best].result.error) best = i;
  }
  return best;
}

std::optional<std::size_t> best_of(std::span<const TrainedNet> nets, std::size_t variant) {
  return best_on(nets, variant, 0);
}

/// Whether the best net of the variant is as good as the first variant's, but for a standard error.
bool pays(std::span<const TrainedNet> nets, std::size_t variant) {
  const std::optional<std::size_t> first = best_of(nets, 0);
  const std::optional<std::size_t> best = best_of(nets, variant);
  return first && best &&
         nets[*best].result.error <= nets[*first].result.error + nets[*first].result.standard_error;
}

/// The variants that were not tried yet, where the first was best: where rows are many first those that differ from it in
/// one thing, then those that build on one that pays.
std::vector<PlannedNet> other_variants(const PlanOptions& options, std::span<const TrainedNet> nets) {
  const std::optional<std::size_t> best = best_of(nets, 0);
  if (!best) return {};
  const bool few = options.rows <= few_rows;
  const auto tried = [&](std::size_t variant) {
    return std::ranges::any_of(nets, [&](const TrainedNet& net) { return net.planned.variant == variant; });
  };
  std::vector<PlannedNet> planned;
  for (std::size_t v = 1; v < options.variants.size(); ++v) {
    const PlannedVariant& variant = options.variants[v];
    if (tried(v) || !(few || pays(nets, variant.builds_on))) continue;
    const long place = place_of(nets[*best].planned.lambda * variant.scale);
    const long beside = few ? 1 : 0;
    for (long step = beside; step >= -beside; --step) {
      planned.push_back({.lambda = on_scale(place + step), .seed = nets[*best].planned.seed, .variant = v});
    }
  }
  return planned;
}

/// On the other folds: the best variants where rows are few, else those that are within a standard error of the best.
std::vector<PlannedNet> other_folds(const PlanOptions& options, std::span<const TrainedNet> nets) {
  std::vector<std::size_t> finalists;
  for (std::size_t v = 0; v < options.variants.size(); ++v) {
    if (const std::optional<std::size_t> best = best_of(nets, v)) finalists.push_back(*best);
  }
  if (finalists.empty()) return {};
  std::ranges::stable_sort(finalists, {}, [&](std::size_t i) { return nets[i].result.error; });
  const Candidate best = nets[finalists.front()].result;
  if (options.rows > few_rows) {
    std::erase_if(finalists,
                  [&](std::size_t i) { return nets[i].result.error > best.error + best.standard_error; });
  } else {
    finalists.resize(std::min(finalists.size(), most_finalists));
  }
  std::vector<PlannedNet> planned;
  for (std::size_t fold = 1; fold < options.folds; ++fold) {
    for (const std::size_t i : finalists) {
      planned.push_back({.lambda = nets[i].planned.lambda,
                         .seed = options.seed + fold,
                         .variant = nets[i].planned.variant,
                         .fold = fold});
    }
  }
  return planned;
}

}  // namespace

std::vector<double> lambda_path(double largest, std::size_t count) {
  std::vector<double> lambdas;
  for (std::size_t i = 0; i < count; ++i)
    lambdas.push_back(on_scale(place_of(largest) - static_cast<long>(i)));
  return lambdas;
}

std::vector<PlannedNet> first_nets(const PlanOptions& options) {
  std::vector<PlannedNet> nets;
  for (const double lambda : options.lambdas) {
    for (std::size_t s = 0; s < options.seeds; ++s)
      nets.push_back({.lambda = lambda, .seed = options.seed + s});
  }
  return nets;
}

std::vector<PlannedNet> next_nets(const PlanOptions& options, std::span<const TrainedNet> nets) {
  const auto any = [&](std::size_t PlannedNet::*kind) {
    return std::ranges::any_of(nets, [&](const TrainedNet& net) { return net.planned.*kind > 0; });
  };
  if (any(&PlannedNet::fold)) return {};
  std::vector<PlannedNet> planned;
  if (!any(&PlannedNet::variant)) {
    if (options.path) planned = extensions(options, nets);
    const auto searched =
        std::ranges::count_if(nets, [](const TrainedNet& net) { return net.planned.searched; });
    if (planned.empty() && options.budget.limited()) planned = budget_nets(options, nets);
    if (planned.empty() && options.budget.limited() && searched < most_searches)
      planned = search(options, nets);
  }
  if (planned.empty()) planned = other_variants(options, nets);
  if (planned.empty()) planned = other_folds(options, nets);
  return planned;
}

std::size_t expected_nets(const PlanOptions& options) {
  const bool few = options.rows <= few_rows;
  const std::size_t variants = options.variants.size();
  const auto simple = static_cast<std::size_t>(
      std::ranges::count(options.variants, std::size_t{0}, &PlannedVariant::builds_on));
  const std::size_t others = options.folds > 0 ? options.folds - 1 : 0;
  return options.lambdas.size() * options.seeds + (few ? 3 * (variants - 1) : simple - 1) +
         others * (few ? std::min(variants, most_finalists) : 1);
}

std::vector<std::size_t> judges_of(std::size_t folds, std::span<const TrainedNet> nets) {
  // Of every variant that was trained on all folds: its best net on each.
  std::map<std::size_t, std::vector<std::size_t>> complete;
  for (const TrainedNet& net : nets) {
    std::vector<std::size_t>& own = complete[net.planned.variant];
    for (std::size_t fold = own.size(); fold < folds; ++fold) {
      const std::optional<std::size_t> best = best_on(nets, net.planned.variant, fold);
      if (!best) break;
      own.push_back(*best);
    }
  }
  std::erase_if(complete, [&](const auto& variant) { return variant.second.size() < folds; });
  if (complete.empty()) return {};
  std::vector<std::size_t> judges;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    const auto elsewhere = [&](const auto& variant) {
      double sum = 0;
      for (std::size_t other = 0; other < folds; ++other)
        sum += other == fold ? 0 : nets[variant.second[other]].result.error;
      return sum;
    };
    judges.push_back(std::ranges::min_element(complete, {}, elsewhere)->second[fold]);
  }
  return judges;
}

std::vector<std::size_t> ensemble_of(std::size_t folds, std::span<const TrainedNet> nets) {
  std::vector<std::size_t> members;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < nets.size(); ++i) {
      if (nets[i].planned.fold != fold || !std::isfinite(nets[i].result.error)) continue;
      if (!best || nets[i].result.error < nets[*best].result.error) best = i;
    }
    if (!best) return {};
    members.push_back(*best);
  }
  return members;
}

}  // namespace coppice
