#include "coppice/api/device.h"

#include "coppice/core/fail.h"
#include "coppice/device/product.h"
#include "coppice/training/cuda_population.h"

#include <vector>

namespace coppice {

std::string gpus_text(std::span<const std::size_t> gpus) {
  return gpus.empty() ? "" : fmt::format(":{}", fmt::join(gpus, ","));
}

ChosenDevice choose_device(const Options& options) {
  const bool processor = options.device == Device::cpu || options.rows_over_ranks.value_or(false) ||
                         arithmetic_of(options) == Arithmetic::portable;
  return choose_device(options, processor ? GpuStatus{} : gpu_status(options.gpus));
}

Arithmetic arithmetic_of(const Options& options) {
  return options.portable_math.value_or(false) ? Arithmetic::portable : Arithmetic::native;
}

ChosenDevice choose_device(const Options& options, const GpuStatus& gpu) {
  std::string why;
  const bool portable = arithmetic_of(options) == Arithmetic::portable;
  if (portable && options.device == Device::cuda) {
    throw Error(
        ErrorKind::unsupported,
        "`portable-math` on: a GPU rounds in its own way; use `device` cpu, or leave `portable-math` out",
        {.option = "portable-math"});
  }
  if (options.device != Device::cpu && !portable && !options.rows_over_ranks.value_or(false)) {
    const std::string lack = gpu_lacks({.norm = options.norm.value_or(Norm::capnorm),
                                        .fixed_size = !options.fixed_size.empty(),
                                        .kink_step = options.kink_step.value_or(0),
                                        .output_scale_step = options.output_scale_step.value_or(0),
                                        .capnorm_rows = options.capnorm_rows.value_or(0)});
    const std::string which = gpus_text(options.gpus);
    if (gpu.usable && lack.empty())
      return {.device = Device::cuda,
              .text = fmt::format("on {}{}", gpu.text, which.empty() ? "" : fmt::format(" (cuda{})", which)),
              .gpus = options.gpus.empty() ? std::vector<std::size_t>{0} : options.gpus,
              .kernels = gpu.text};
    if (options.device == Device::cuda) {
      throw Error(ErrorKind::unsupported,
                  fmt::format("`device` cuda{}: {}; use `device` cpu", which, lack.empty() ? gpu.text : lack),
                  {.option = "device"});
    }
    why = fmt::format(" ({})", gpu.usable ? lack : gpu.text);
  }
  if (options.precision == Precision::tf32)
    fail_option("precision", "`precision` tf32: processors lack it; use fp32 or bf16, or a GPU");
  const WithArithmetic as_asked(arithmetic_of(options));
  return {.device = Device::cpu,
          .text = "on the CPU" + why + (portable ? ", portably" : ""),
          .gpus = {},
          .kernels = product_kernels()};
}

Precision choose_precision(const Options& options, Device device, bool images) {
  if (options.precision) return *options.precision;
  if (device == Device::cuda) return Precision::tf32;
  const bool has_bf16 = arithmetic_of(options) == Arithmetic::portable || bf16_works();
  return images && has_bf16 ? Precision::bf16 : Precision::fp32;
}

}  // namespace coppice
