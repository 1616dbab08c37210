#pragma once

#include "coppice/training/net_run.h"
#include "coppice/training/trainer.h"

#include <vector>

namespace coppice {

/// Logarithm of each class's share of the training rows, by weight.
std::vector<float> base_rate(const NetData& data);

/// What the protocol would go by if the base rate, or the mean, were the answer for every validation row.
double base_criterion(const NetData& data, Metric metric);

/// The same net with nothing learned: zero output fan-ins make every answer the base rate, or the mean, and
/// then all hidden units are zero units, of which one per layer stays. The removed units are appended to
/// `removed`.
NetState unlearned(const NetState& state, std::vector<UnitEvent>& removed);

}  // namespace coppice
