#pragma once

#include "coppice/device/cuda/fan_ins.h"

namespace coppice::cuda {

/// Step sizes of one net; the shrinkage grows with the number of samples.
struct NetStep {
  double angular = 0;
  double radial = 0;
  double shrinkage_per_sample = 0;
  bool by_angle = false;
  double trust = 0;
  double relative_epsilon = 0;
  bool relative_shrinkage = false;
  bool exponential = false;
  double peak_decay = 1;
};

/// What every optimizer's kernels know of a step: a warp works on each unit of all layers of all nets. Nets without
/// samples stand still.
struct UnitSteps {
  const FanIns* layers = nullptr;  ///< on the GPU
  int layer_count = 0;
  int units = 0;  ///< capacities of all layers added up, each rounded up to `unit_group`
  const NetStep* sizes = nullptr;
  const double* factors = nullptr;  ///< on each layer's shrinkage; null: all 1
  Extent samples{};
  int* failed = nullptr;            ///< 1 for nets that met a number that is not finite
  const int* first_step = nullptr;  ///< number of the first step of a series on the GPU
  int step = 0;                     ///< which of the series this is
};
constexpr int unit_group = 8;

}  // namespace coppice::cuda
