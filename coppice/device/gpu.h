#pragma once

#include <cstdint>
#include <string>

namespace coppice {

/// How a GPU computes matrix products; everything else is float32, sums that cancel are double.
enum class Precision : std::uint8_t {
  fp32,  ///< every factor as the sum of two tf32 numbers: as exact as float32
  tf32,  ///< factors rounded to 11 significant bits
  bf16,  ///< factors rounded to 8 significant bits
};

/// Whether this program can compute on a GPU here.
struct GpuStatus {
  bool usable = false;
  std::string text;  ///< the GPU's name, or why there is none to use
};
GpuStatus gpu_status();

}  // namespace coppice
