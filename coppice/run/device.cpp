#include "coppice/run/device.h"

#include "coppice/core/error.h"
#include "coppice/device/gpu.h"
#include "coppice/training/gpu_support.h"

namespace coppice {

ChosenDevice choose_device(const RunOptions& options) {
  return choose_device(options, options.device == Device::cpu ? GpuStatus{} : gpu_status());
}

ChosenDevice choose_device(const RunOptions& options, const GpuStatus& gpu) {
  std::string why;
  if (options.device != Device::cpu) {
    const std::string lack = gpu_lacks(options.training);
    if (gpu.usable && lack.empty()) return {.device = Device::cuda, .text = "on " + gpu.text};
    if (options.device == Device::cuda)
      fail("--device cuda: {}; use --device cpu", lack.empty() ? gpu.text : lack);
    why = fmt::format(" ({})", gpu.usable ? lack : gpu.text);
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
