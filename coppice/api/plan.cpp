#include "coppice/api/plan.h"

#include "coppice/api/budget_plan.h"
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
constexpr std::size_t most_searches = 4;    ///< nets between two of the front
constexpr double near_enough = 0.95;        ///< share of the budget that a net should use
constexpr double narrow = 1.1;              ///< ratio of lambdas that no longer matters

/// 1 or 3 times a power of ten, by its place on that scale.
double on_scale(long place) {
  const long decade = (place - (place & 1)) / 2;
  return parse_number(fmt::format("{}e{}", (place & 1) == 0 ? 1 : 3, decade)).value();
}

long place_of(double lambda) {
  return std::lround(2 * std::log10(lambda));
}

/// The nets of one lambda, seeds together.
struct Point {
  double lambda = 0;
  double error = 0;  ///< median
  std::vector<std::size_t> nets;
};

/// Points of the first round and of extensions, by falling lambda; nets for a budget are left out.
std::vector<Point> path_points(std::span<const TrainedNet> nets) {
  std::map<double, Point, std::greater<>> points;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    if (nets[i].searched || nets[i].fixed) continue;
    Point& point = points[nets[i].lambda];
    point.lambda = nets[i].lambda;
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
    planned.push_back({.lambda = lambda, .seed = nets[i].seed, .warm_from = i, .searched = false});
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
    if (net.fixed) continue;
    used = std::max(used, used_of(options.budget, net.result));
    upper = std::min(upper, net.lambda);
  }
  if (std::isinf(upper) || !(best < best_fitting) || used >= near_enough) return {};
  std::optional<std::size_t> lower;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    if (nets[i].fixed || fits(nets[i]) || nets[i].lambda >= upper) continue;
    if (!lower || nets[i].lambda > nets[*lower].lambda) lower = i;
  }
  if (!lower || upper < narrow * nets[*lower].lambda) return {};
  return {{.lambda = std::sqrt(upper * nets[*lower].lambda),
           .seed = nets[*lower].seed,
           .warm_from = lower,
           .searched = true}};
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
      nets.push_back(
          {.lambda = lambda, .seed = options.seed + s, .warm_from = std::nullopt, .searched = false});
  }
  return nets;
}

std::vector<PlannedNet> next_nets(const PlanOptions& options, std::span<const TrainedNet> nets) {
  if (options.path) {
    std::vector<PlannedNet> planned = extensions(options, nets);
    if (!planned.empty()) return planned;
  }
  if (!options.budget.limited()) return {};
  std::vector<PlannedNet> planned = budget_nets(options, nets);
  if (!planned.empty()) return planned;
  const auto searched = static_cast<std::size_t>(std::ranges::count(nets, true, &TrainedNet::searched));
  return searched < most_searches ? search(options, nets) : std::vector<PlannedNet>{};
}

}  // namespace coppice
