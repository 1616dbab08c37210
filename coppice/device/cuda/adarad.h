#pragma once

#include "coppice/device/cuda/fan_ins.h"

namespace coppice::cuda {

/// The largest average of |phi|^2 and the largest of its capacities that a net has seen.
struct Largest {
  double average = 0;
  double filled = 0;
};

/// Step sizes of one net; the shrinkage grows with the number of samples.
struct NetStep {
  double angular = 0;
  double radial = 0;
  double shrinkage_per_sample = 0;
  bool by_angle = false;
};

/// One step of AdaRad for all layers of all nets (coppice/training/adarad.h has the formulas). Nets without
/// samples stand still.
struct AdaRadStep {
  const FanIns* layers = nullptr;  ///< on the GPU
  int layer_count = 0;
  int units = 0;  ///< capacities of all layers added up, each rounded up to `unit_group`
  const NetStep* sizes = nullptr;
  Extent samples{};
  double mixing_rate = 0;
  double epsilon = 0;
  const Largest* before = nullptr;  ///< this step
  Largest* after = nullptr;         ///< this step; another array
  Largest* by_layer = nullptr;      ///< [net][layer]: since `before` was last set by the host; starts as 0
  const int* first_step = nullptr;  ///< number of the first step of a series on the GPU
  int step = 0;                     ///< which of the series this is
  int* failed = nullptr;            ///< 1 for nets that met a number that is not finite
};
constexpr int unit_group = 8;

void adarad(const AdaRadStep& step, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
