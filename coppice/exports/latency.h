#pragma once

#include "coppice/model/model.h"

namespace coppice {

/// Microseconds that a row takes which is predicted alone, on this machine and one thread, from a table in memory: the median
/// of some hundredths of a second of asking.
double row_latency(const Model& model);

}  // namespace coppice
