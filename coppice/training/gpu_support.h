#pragma once

#include "coppice/training/options.h"

#include <string>

namespace coppice {

/// What of this the GPU cannot train with, as a sentence; empty if nothing.
std::string gpu_lacks(Norm norm, bool fixed_size);

}  // namespace coppice
