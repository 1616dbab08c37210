#pragma once

#include "coppice/core/error.h"

#include <string>

namespace coppice {

/// Whether this program can compute on a GPU here.
struct GpuStatus {
  bool usable = false;
  std::string text;  ///< the GPU's name, or why there is none to use
};
GpuStatus gpu_status();

/// The GPU's memory does not suffice for what was asked of it; what was there before is as it was.
class GpuOutOfMemory : public Error {
 public:
  explicit GpuOutOfMemory(const std::string& sentence) : Error(ErrorKind::out_of_memory, sentence) {}
};

}  // namespace coppice
