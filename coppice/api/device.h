#pragma once

#include "coppice/api/options.h"
#include "coppice/core/arithmetic.h"
#include "coppice/data/table.h"
#include "coppice/device/gpu.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// Where a training computes, and what to tell its user about it.
struct ChosenDevice {
  Device device = Device::cpu;
  std::string text;               ///< "on NVIDIA H200", "on the CPU (this build has no CUDA)"
  std::vector<std::size_t> gpus;  ///< that share the nets; one may come twice
  std::string kernels;            ///< what computes, by all that rounding depends on but the precision
};

/// ":0,1"; nothing of none.
std::string gpus_text(std::span<const std::size_t> gpus);

/// Looks for a GPU unless the options rule that out; what the GPU cannot do is left to the processor. Fails if they
/// ask for a GPU and there is none, or for what the device lacks.
ChosenDevice choose_device(const Options& options);
/// The same where this is known about the GPU.
ChosenDevice choose_device(const Options& options, const GpuStatus& gpu);

/// How a training computes, by its options.
Arithmetic arithmetic_of(const Options& options);

/// What products of training round to: what the options say, else the fastest that does no harm. A GPU has tf32.
/// On a processor images are the bytes of pixels, which bf16's 8 bits hold, so they take bf16 if it works; tables
/// may need more digits and take fp32. Portable arithmetic has bf16 everywhere.
Precision choose_precision(const Options& options, Device device, bool images);

}  // namespace coppice
