#include "coppice/api/budget_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace coppice {

namespace {

constexpr std::size_t few_units = 4;  ///< of a net that sees as many columns as fit
constexpr std::size_t most_beginnings = 32;
constexpr std::size_t most_kinds = 4;  ///< of nets that are begun again

double finite_error(const TrainedNet& net) {
  return std::isfinite(net.result.error) ? net.result.error : HUGE_VAL;
}

/// No larger than the budget, nor than all nets of the path: where a budget is ample there is nothing to fill.
Budget room_for(const PlanOptions& options, std::span<const TrainedNet> nets) {
  std::size_t largest = options.fixed.ample;
  for (const TrainedNet& net : nets) {
    if (!net.planned.is_fixed()) largest = std::max(largest, net.result.parameters);
  }
  Budget room = options.budget;
  room.parameters = std::min(room.parameters, largest);
  return room;
}

/// Whether, of nets that found their size, one that does not fit is better than all that do. Losses of nets of fixed size,
/// which no penalty and no CapNorm holds back, are of another kind until temperatures are fitted.
bool binds(const Budget& budget, std::span<const TrainedNet> nets) {
  double best = HUGE_VAL;
  double best_fitting = HUGE_VAL;
  for (const TrainedNet& net : nets) {
    if (net.planned.is_fixed()) continue;
    double& lowest = budget.admits(net.result) ? best_fitting : best;
    lowest = std::min(lowest, finite_error(net));
  }
  return best < best_fitting;
}

PlannedNet fixed_net(const HiddenUnits& units, const Columns& columns, std::uint64_t seed) {
  PlannedNet net{.lambda = 0, .seed = seed};
  net.fixed_size = units;
  net.columns = columns;
  return net;
}

/// Nets of each number of hidden layers that see these columns.
void add_nets(std::vector<PlannedNet>& planned, const PlanOptions& options, const Budget& room,
              const Columns& columns, std::uint64_t seed) {
  for (std::size_t layers = 1; layers <= options.fixed.layers; ++layers) {
    const HiddenUnits units = widest(layers, [&](const HiddenUnits& hidden) {
      return room.admits(options.fixed.size_of(columns, hidden));
    });
    if (units.empty()) continue;
    planned.push_back(fixed_net(units, columns, seed));
  }
}

/// The nets that see the fewest columns so far, and the best of them.
struct Stage {
  std::size_t columns = 0;
  std::size_t best = 0;
};

Stage last_stage(const PlanOptions& options, std::span<const TrainedNet> nets) {
  const auto seen = [&](std::size_t i) {
    return nets[i].planned.columns.empty() ? options.fixed.widths.size() : nets[i].planned.columns.size();
  };
  Stage stage{.columns = seen(0), .best = 0};
  for (std::size_t i = 1; i < nets.size(); ++i) {
    const bool fewer = seen(i) < stage.columns;
    const bool better = seen(i) == stage.columns && finite_error(nets[i]) < finite_error(nets[stage.best]);
    if (fewer || better) stage = {.columns = seen(i), .best = i};
  }
  return stage;
}

/// Whether nets that see fewer columns may be better still: not where the last ones have lost clearly by it.
bool goes_on(std::span<const TrainedNet> nets, const Stage& stage, const Budget& budget) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    if (budget.admits(nets[i].result) && (!best || finite_error(nets[i]) < finite_error(nets[*best])))
      best = i;
  }
  if (!best || stage.columns == 0 || nets[stage.best].planned.columns.empty()) return true;
  return finite_error(nets[stage.best]) <= finite_error(nets[*best]) + nets[*best].result.standard_error;
}

/// Half of the columns that the last nets saw, or fewer: so few that a net of some units fits, or else of one. If there are
/// none such, the narrowest column.
Columns fewer_columns(const PlanOptions& options, const Budget& room, const Columns& ranking) {
  for (const std::size_t units : {few_units, std::size_t{1}}) {
    for (std::size_t count = ranking.size() / 2; count > 0; count /= 2) {
      Columns columns(ranking.begin(), ranking.begin() + static_cast<std::ptrdiff_t>(count));
      std::ranges::sort(columns);
      if (room.admits(options.fixed.size_of(columns, {units}))) return columns;
    }
  }
  return {*std::ranges::min_element(ranking, {}, [&](std::uint32_t c) { return options.fixed.widths[c]; })};
}

/// The nets of fixed size that fit, the best first: but for a standard error as good as that one, and not too many.
std::vector<std::size_t> best_kinds(std::span<const TrainedNet> nets, const Budget& budget) {
  std::vector<std::size_t> kinds;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    const Candidate& result = nets[i].result;
    if (nets[i].planned.is_fixed() && budget.admits(result) && std::isfinite(result.error))
      kinds.push_back(i);
  }
  if (kinds.empty()) return kinds;
  std::ranges::stable_sort(kinds, {}, [&](std::size_t i) { return nets[i].result.error; });
  const TrainedNet best = nets[kinds.front()];
  std::erase_if(kinds, [&](std::size_t i) {
    return nets[i].result.error > best.result.error + best.result.standard_error ||
           nets[i].planned.seed != best.planned.seed;
  });
  kinds.resize(std::min(kinds.size(), most_kinds));
  return kinds;
}

/// The best nets of fixed size begun again, on the same rows: in turn, as long as all of them together are no larger than
/// the nets of the path.
std::vector<PlannedNet> other_beginnings(const PlanOptions& options, std::span<const TrainedNet> nets) {
  const std::vector<std::size_t> kinds = best_kinds(nets, options.budget);
  if (kinds.empty()) return {};
  std::size_t left = 0;
  for (const TrainedNet& net : nets) left += net.planned.is_fixed() ? 0 : net.result.parameters;
  std::vector<PlannedNet> planned;
  for (std::size_t i = 0; i < most_beginnings; ++i) {
    const TrainedNet& kind = nets[kinds[i % kinds.size()]];
    if (kind.result.parameters > left) break;
    left -= kind.result.parameters;
    planned.push_back(kind.planned);
    planned.back().beginning = 1 + i / kinds.size();
    planned.back().seed += planned.back().beginning;
  }
  return planned;
}

}  // namespace

HiddenUnits widest(std::size_t layers, const std::function<bool(const HiddenUnits&)>& fits) {
  std::size_t low = 0;
  std::size_t high = 1;
  while (fits(HiddenUnits(layers, high))) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (fits(HiddenUnits(layers, middle)) ? low : high) = middle;
  }
  if (low == 0) return {};
  HiddenUnits units(layers, low);
  for (std::size_t& width : units) {  // what is left of the budget goes to the first layers
    ++width;
    if (!fits(units)) --width;
  }
  return units;
}

std::vector<PlannedNet> budget_nets(const PlanOptions& options, std::span<const TrainedNet> nets) {
  if (options.fixed.layers == 0 || nets.empty()) return {};
  const Budget room = room_for(options, nets);
  std::vector<PlannedNet> planned;
  if (std::ranges::none_of(nets, [](const TrainedNet& net) { return net.planned.is_fixed(); })) {
    for (std::size_t s = 0; s < options.seeds; ++s) add_nets(planned, options, room, {}, options.seed + s);
    if (!planned.empty()) return planned;
  }
  const bool begun_again =
      std::ranges::any_of(nets, [](const TrainedNet& net) { return net.planned.beginning > 0; });
  if (begun_again || !binds(options.budget, nets)) return {};
  const Stage stage = last_stage(options, nets);
  if (stage.columns < 2 || !goes_on(nets, stage, options.budget)) return other_beginnings(options, nets);
  std::vector<Columns> rankings{options.fixed.ranking(stage.best), options.fixed.telling()};
  rankings[1].resize(stage.columns);
  const std::uint64_t seed = nets[stage.best].planned.seed;
  std::set<Columns> kept;
  for (const Columns& ranking : rankings) {
    const Columns columns = fewer_columns(options, room, ranking);
    if (kept.insert(columns).second) add_nets(planned, options, room, columns, seed);
  }
  if (planned.empty())  // so that all know what the least is
    planned.push_back(fixed_net({1}, *kept.begin(), seed));
  return planned;
}

}  // namespace coppice
