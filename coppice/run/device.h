#pragma once

#include "coppice/run/settings.h"

#include <string>

namespace coppice {

/// Where a run computes, and what to tell its user about it.
struct ChosenDevice {
  Device device = Device::cpu;
  std::string text;  ///< "on NVIDIA H200", "on the CPU (this build has no CUDA)"
};

/// Looks for a GPU unless the options rule that out. Fails if they ask for one and there is none, or for a
/// precision that the device lacks.
ChosenDevice choose_device(const RunOptions& options);

}  // namespace coppice
