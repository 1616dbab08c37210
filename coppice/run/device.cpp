#include "coppice/run/device.h"

#include "coppice/core/error.h"
#include "coppice/device/gpu.h"

namespace coppice {

ChosenDevice choose_device(const RunOptions& options) {
  std::string why;
  if (options.device != Device::cpu) {
    const GpuStatus gpu = gpu_status();
    if (gpu.usable) return {.device = Device::cuda, .text = "on " + gpu.text};
    if (options.device == Device::cuda) fail("--device cuda: {}; use --device cpu", gpu.text);
    why = fmt::format(" ({})", gpu.text);
  }
  if (options.training.precision == Precision::tf32) {
    fail("--precision tf32: processors lack it; use fp32 or bf16, or a GPU");
  }
  return {.device = Device::cpu, .text = "on the CPU" + why};
}

Precision choose_precision(const RunOptions& options, Device device, Format format) {
  if (options.training.precision) return *options.training.precision;
  if (device == Device::cuda) return Precision::tf32;
  const bool images = format == Format::idx || format == Format::amat;
  return images && bf16_works() ? Precision::bf16 : Precision::fp32;
}

}  // namespace coppice
