#pragma once

#include "coppice/core/error.h"

#include <cstdint>
#include <string>

namespace coppice {

/// Where to compute.
enum class Device : std::uint8_t { cpu, cuda };

/// Whether this program can compute on a GPU here.
struct GpuStatus {
  bool usable = false;
  std::string text;  ///< the GPU's name, or why there is none to use
};
GpuStatus gpu_status();

/// The GPU's memory does not suffice for what was asked of it; what was there before is as it was.
class GpuOutOfMemory : public Error {
 public:
  using Error::Error;
};

}  // namespace coppice
