#pragma once

#include "coppice/api/plan.h"

#include <span>
#include <vector>

// Nets for a budget. Those that a penalty sizes fall off a cliff where a budget is tight: with two units left there is
// nothing to choose from. A net that has its size from the start fills the budget. Pure, as plan.h.
namespace coppice {

/// The widest net of so many hidden layers, all about equally wide, that fits: none if not even one unit per layer does.
HiddenUnits widest(std::size_t layers, const std::function<bool(const HiddenUnits&)>& fits);

/// What comes next of nets of fixed size, once the path is trained; nothing when they are complete. First nets that see all
/// columns, one for each number of hidden layers. While a net too large for the budget is better than all that fit, they
/// are followed by nets that see half of the columns and have more units instead, as long as those are not clearly worse:
/// the columns that matter most to the best net, which may have learned noise, and those that tell most each alone.
std::vector<PlannedNet> budget_nets(const PlanOptions& options, std::span<const TrainedNet> nets);

}  // namespace coppice
