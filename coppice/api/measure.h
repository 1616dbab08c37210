#pragma once

#include "coppice/analysis/measured_net.h"
#include "coppice/api/prepare.h"

namespace coppice {

/// A state of a net as a model, measured on the rows that it was validated and is tested on.
MeasuredNet measure(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const NetState& state,
                    const PreparedData& data, NetShare share = {});

}  // namespace coppice
