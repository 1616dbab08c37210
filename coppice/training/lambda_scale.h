#pragma once

#include "coppice/device/threads.h"
#include "coppice/training/options.h"
#include "coppice/training/trainer.h"

#include <cstdint>

namespace coppice {

/// The lambda above which nothing is learned, as the data has it: with output fan-ins of zero the penalty holds
/// them there unless the gradient of one of them is longer than lambda. Measured on a random net of two handfuls of
/// units per layer: what is easy to learn from random units has a large gradient, what needs deep nets a small one.
double largest_lambda(ThreadPool& pool, const TrainingOptions& options, std::uint64_t seed,
                      const NetData& data);

}  // namespace coppice
