#pragma once

#include "coppice/api/options.h"

namespace coppice {

/// Fails on settings that make no sense together, with a sentence that names one of them and the reason. Asks what was
/// set, so it is for options as they were given.
void refuse_combinations(const Options& options);

}  // namespace coppice
