#pragma once

#include <string>

namespace coppice {

/// Whether this program can compute on a GPU here.
struct GpuStatus {
  bool usable = false;
  std::string text;  ///< the GPU's name, or why there is none to use
};
GpuStatus gpu_status();

}  // namespace coppice
