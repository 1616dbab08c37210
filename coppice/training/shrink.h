#pragma once

#include "coppice/training/optimizer.h"
#include "coppice/training/regularizer.h"

namespace coppice {

/// The regularizer's own step after any gradient step, `amount` times each layer's factor:
///
///   p = 2: w <- max(0, 1 - amount / |w|) w    of every fan-in or fan-out w
///   p = 1: w <- sign(w) max(0, |w| - amount)  of every weight w
///
/// Names the hidden units whose fan-in (fan-out) is zero now. A hidden layer never falls below one unit: the fan-in
/// (fan-out) of its last one is not shrunk. False if a weight is not finite.
template <class T>
[[nodiscard]] bool shrink(ThreadPool& pool, Network<T>& network, const Regularizer& regularizer,
                          double amount, DeadUnits& dead);

}  // namespace coppice
