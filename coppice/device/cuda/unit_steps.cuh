#pragma once

#include "coppice/device/adarad_unit.h"
#include "coppice/device/cuda/unit_steps.h"
#include "coppice/device/cuda/warp.cuh"

// What the kernels of all optimizers share: which unit a warp works on, and how it reads that unit's rows.
namespace coppice::cuda {

static_assert(unit_group == warps);

/// The unit that a warp works on.
struct Place {
  int layer = 0;
  int unit = 0;
};

__device__ inline Place place_of(const UnitSteps& s) {
  int block = static_cast<int>(blockIdx.x);
  int layer = 0;
  for (; layer + 1 < s.layer_count; ++layer) {
    const int blocks = (s.layers[layer].units.most + unit_group - 1) / unit_group;
    if (block < blocks) break;
    block -= blocks;
  }
  return {layer, block * unit_group + static_cast<int>(threadIdx.x / warp_size)};
}

inline dim3 grid_of(const UnitSteps& s, std::size_t nets) {
  return {static_cast<unsigned>(s.units / unit_group), static_cast<unsigned>(nets)};
}

/// Where the row of a unit begins.
__device__ inline std::size_t row_of(const FanIns& layer, unsigned net, int unit) {
  return net * layer.net_stride + static_cast<std::size_t>(unit) * layer.stride;
}

__device__ inline StepSizes sizes_of(const UnitSteps& s, unsigned net, int layer, int samples) {
  const NetStep& sizes = s.sizes[net];
  const double factor = s.factors != nullptr ? s.factors[layer] : 1;
  return {.angular = sizes.angular,
          .radial = sizes.radial,
          .shrinkage = sizes.shrinkage_per_sample * samples * factor,
          .by_angle = sizes.by_angle,
          .trust = sizes.trust,
          .relative_epsilon = sizes.relative_epsilon,
          .relative_shrinkage = sizes.relative_shrinkage,
          .exponential = sizes.exponential,
          .peak_decay = sizes.peak_decay};
}

/// The unit that a warp works on in this step, if any.
struct Working {
  bool any = false;
  unsigned net = 0;
  int samples = 0;
  Place place{};
  std::size_t unit = 0;  ///< of the layer's numbers per unit
  std::size_t row = 0;   ///< of its weights
  int parts = 1;         ///< of its gradient
};

__device__ inline Working working(const UnitSteps& s) {
  const unsigned net = blockIdx.y;
  const int samples = extent_of(s.samples, net);
  if (samples == 0) return {};
  const Place place = place_of(s);
  const FanIns& layer = s.layers[place.layer];
  if (place.unit >= extent_of(layer.units, net)) return {};
  return {.any = true,
          .net = net,
          .samples = samples,
          .place = place,
          .unit = net * layer.unit_stride + place.unit,
          .row = row_of(layer, net, place.unit),
          .parts = parts_of(layer.cut, extent_of(layer.units, net), extent_of(layer.inputs, net), samples)};
}

/// Entries i and on of a row, those beyond its end taken for zero.
__device__ inline float4 within(float4 four, int i, int count) {
  if (i + 1 >= count) four.y = 0;
  if (i + 2 >= count) four.z = 0;
  if (i + 3 >= count) four.w = 0;
  return four;
}

/// Four entries of a row: rows are padded to a multiple of four.
__device__ inline float4 four_of(const float* row, int i, int count) {
  return within(*reinterpret_cast<const float4*>(row + i), i, count);
}

/// Four entries of the gradient, whose parts are added up.
__device__ inline float4 gradient_of(const FanIns& layer, int parts, const float* g, int i) {
  float4 four = *reinterpret_cast<const float4*>(g + i);
  if (parts == 1) return four;
  float4 more[most_parts - 1];  // all on their way before the first is needed
#pragma unroll
  for (int p = 1; p < most_parts; ++p) {
    more[p - 1] = p < parts ? *reinterpret_cast<const float4*>(g + p * layer.part_stride + i) : float4{};
  }
#pragma unroll
  for (int p = 1; p < most_parts; ++p) {
    const float4& add = more[p - 1];
    four = {four.x + add.x, four.y + add.y, four.z + add.z, four.w + add.w};
  }
  return four;
}

/// A hidden layer never falls below one unit: if the step would end all of them, the last one is spared.
__device__ inline bool spared(const FanIns& layer, unsigned net, int unit, int now) {
  const int units = extent_of(layer.units, net);
  for (int j = 0; j < units; ++j) {
    const std::size_t at = net * layer.unit_stride + j;
    const bool lived = layer.died[at] == alive || layer.died[at] == now;
    if (lived && (j > unit || layer.ends[at] == 0)) return false;
  }
  return true;
}

}  // namespace coppice::cuda
