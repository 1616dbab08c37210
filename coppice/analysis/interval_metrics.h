#pragma once

#include "coppice/analysis/metrics.h"
#include "coppice/model/interval.h"

namespace coppice {

/// Of intervals, or sets, of rows whose answers are known. Rows of classes that training never saw are in no set.
IntervalMetrics measure_intervals(const ModelParts& model, const Intervals& intervals, const KnownRows& known,
                                  double level);

}  // namespace coppice
