#include "coppice/api/device.h"

#include "coppice/core/fail.h"
#include "coppice/device/product.h"
#include "coppice/training/cuda_population.h"

namespace coppice {

ChosenDevice choose_device(const Options& options) {
  return choose_device(options, options.device == Device::cpu ? GpuStatus{} : gpu_status());
}

ChosenDevice choose_device(const Options& options, const GpuStatus& gpu) {
  std::string why;
  if (options.device != Device::cpu) {
    const std::string lack = gpu_lacks(options.norm.value_or(Norm::capnorm), !options.fixed_size.empty());
    if (gpu.usable && lack.empty()) return {.device = Device::cuda, .text = "on " + gpu.text};
    if (options.device == Device::cuda) {
      throw Error(ErrorKind::unsupported,
                  fmt::format("`device` cuda: {}; use `device` cpu", lack.empty() ? gpu.text : lack),
                  {.option = "device"});
    }
    why = fmt::format(" ({})", gpu.usable ? lack : gpu.text);
  }
  if (options.precision == Precision::tf32)
    fail_option("precision", "`precision` tf32: processors lack it; use fp32 or bf16, or a GPU");
  return {.device = Device::cpu, .text = "on the CPU" + why};
}

Precision choose_precision(const Options& options, Device device, bool images) {
  if (options.precision) return *options.precision;
  if (device == Device::cuda) return Precision::tf32;
  return images && bf16_works() ? Precision::bf16 : Precision::fp32;
}

}  // namespace coppice
