#pragma once

#include "coppice/training/options.h"

#include <string>

namespace coppice {

/// What of these options the GPU cannot train with, as a sentence; empty if nothing.
std::string gpu_lacks(const TrainingOptions& options);

}  // namespace coppice
