#pragma once

#include "coppice/run/settings.h"

#include <functional>
#include <string>

#include <fmt/format.h>

namespace coppice {

/// Where a run computes, and what to tell its user about it.
struct ChosenDevice {
  Device device = Device::cpu;
  std::string text;  ///< "on NVIDIA H200", "on the CPU (this build has no CUDA)"
};

/// Looks for a GPU unless the options rule that out; what the GPU cannot do is left to the processor. Fails if they
/// ask for a GPU and there is none, or for what the device lacks.
ChosenDevice choose_device(const RunOptions& options);
/// The same where this is known about the GPU.
ChosenDevice choose_device(const RunOptions& options, const GpuStatus& gpu);

/// What products of training round to: what the options say, else the fastest that does no harm. A GPU has tf32.
/// On a processor images are the bytes of pixels, which bf16's 8 bits hold, so they take bf16 if it works; tables
/// may need more digits and take fp32.
Precision choose_precision(const RunOptions& options, Device device, Format format);

/// f(false); if the GPU's memory does not suffice for it and the options leave the device open, `say` is told so and
/// f(true) goes on with the CPU.
template <class F>
auto run_or_leave_gpu(const RunOptions& options, const std::function<void(const std::string&)>& say,
                      const F& f) {
  try {
    return f(false);
  } catch (const GpuOutOfMemory& error) {
    if (options.device) throw;
    say(fmt::format("{}; the CPU takes over", error.what()));
  }
  return f(true);
}

}  // namespace coppice
