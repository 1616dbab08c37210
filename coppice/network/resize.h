#pragma once

#include "coppice/network/network.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// Which units of one hidden layer stay and which new ones come. One plan is applied to everything that has
/// an entry per unit: fan-ins, fan-outs, ids, optimizer state.
struct ResizePlan {
  std::size_t layer = 0;
  std::vector<std::size_t> keep;     ///< ascending indices
  std::vector<std::uint32_t> added;  ///< ids of new units, appended after the kept ones
};

/// Removes and appends entries of a per-unit vector; new ones are value-initialised.
template <class V>
void resize_entries(std::vector<V>& entries, const ResizePlan& plan) {
  for (std::size_t i = 0; i < plan.keep.size(); ++i) entries[i] = entries[plan.keep[i]];
  entries.resize(plan.keep.size());
  entries.resize(plan.keep.size() + plan.added.size());
}

/// Applies the plan to fan-ins, fan-outs and ids. New units have zero fan-in and fan-out: zero units, so f is
/// unchanged until their fan-in is drawn, and after that too.
template <class T>
void resize(Network<T>& network, const ResizePlan& plan);

}  // namespace coppice
