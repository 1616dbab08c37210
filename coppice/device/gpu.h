#pragma once

#include "coppice/core/error.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// Whether this program can compute on a GPU here.
struct GpuStatus {
  bool usable = false;
  std::string text;  ///< the GPU's name, or why there is none to use
};
/// Of these GPUs, or of the first.
GpuStatus gpu_status(std::span<const std::size_t> gpus = {});

/// Of all that this program sees.
std::vector<std::string> gpu_names();

/// The GPU's memory does not suffice for what was asked of it; what was there before is as it was.
class GpuOutOfMemory : public Error {
 public:
  explicit GpuOutOfMemory(const std::string& sentence) : Error(ErrorKind::out_of_memory, sentence) {}
};

}  // namespace coppice
