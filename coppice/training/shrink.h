#pragma once

#include "coppice/training/optimizer.h"

namespace coppice {

/// The regularizer's own step after any gradient step: shortens every fan-in by `amount` and names the hidden units
/// whose fan-in is zero now. A hidden layer never falls below one unit: its last one is not shortened. False if a
/// length is not finite.
template <class T>
[[nodiscard]] bool shrink(ThreadPool& pool, Network<T>& network, double amount, DeadUnits& dead);

}  // namespace coppice
