#pragma once

#include "coppice/run/settings.h"

namespace coppice {

/// Fails on settings that make no sense together, with a sentence that names a flag and the reason.
void refuse_combinations(const RunOptions& options);

}  // namespace coppice
