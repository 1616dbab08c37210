#pragma once

#include "coppice/device/cuda/adarad.h"
#include "coppice/device/cuda/unit_steps.cuh"

// What AdaRad and AdaRad-M share. One kernel takes the dot products of all layers, another moves the fan-ins; between
// them every layer's largest average is known. Maxima are exact in any order, so atomics keep results the same.
namespace coppice::cuda {

/// Numbers that are not negative have the order of their bits.
__device__ inline void raise(double* largest, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(largest),
            static_cast<unsigned long long>(__double_as_longlong(value)));
}

__device__ inline RowDots dots_of(const FanIns& layer, const Working& at, int inputs) {
  const float* w = layer.weights + at.row;
  float* g = layer.gradient + at.row;
  RowDots dots{};
#pragma unroll 4
  for (int i = static_cast<int>(lane()) * 4; i < inputs; i += 4 * warp_size) {
    const float4 ws = four_of(w, i, inputs);
    float4 gs = gradient_of(layer, at.parts, g, i);
    if (at.parts > 1) *reinterpret_cast<float4*>(g + i) = gs;  // the sum, for the second kernel
    gs = within(gs, i, inputs);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const double a = (&ws.x)[q];
      const double b = (&gs.x)[q];
      dots.gg += b * b;
      dots.gw += b * a;
      dots.ww += a * a;
    }
  }
  return {warp_sum(dots.gg), warp_sum(dots.gw), warp_sum(dots.ww)};
}

/// The first kernel's part for a living unit: its averages, whether the step ends it, and the layer's largest; false if
/// a number is not finite.
__device__ inline bool note_dots(const AdaRadStep& s, const Working& at, const FanIns& layer,
                                 const RowDots& dots) {
  const bool finite = isfinite(dots.gg) && isfinite(dots.ww);
  if (lane() > 0) return finite;
  if (!finite) {
    s.all.failed[at.net] = 1;
    return false;
  }
  const double average = (1 - s.mixing_rate) * layer.average[at.unit] + s.mixing_rate * angular_square(dots);
  const double filled = (1 - s.mixing_rate) * layer.filled[at.unit] + s.mixing_rate;
  layer.average[at.unit] = average;
  layer.filled[at.unit] = filled;
  layer.dots[at.unit] = dots;
  const StepSizes sizes = sizes_of(s.all, at.net, at.place.layer, at.samples);
  layer.ends[at.unit] = layer.hidden && adarad_ends_unit(dots, sizes) ? 1 : 0;
  Largest& largest = s.by_layer[at.net * s.all.layer_count + at.place.layer];
  raise(&largest.average, average);
  raise(&largest.filled, filled);
  return true;
}

/// The largest numbers once the layers from the last down to this one are counted.
__device__ inline Largest largest_down_to(const AdaRadStep& s, unsigned net, int layer) {
  Largest largest = s.before[net];
  largest.average *= s.all.sizes[net].peak_decay;
  for (int l = s.all.layer_count; l-- > layer;) {
    const Largest& of_layer = s.by_layer[net * s.all.layer_count + l];
    largest.average = fmax(largest.average, of_layer.average);
    largest.filled = fmax(largest.filled, of_layer.filled);
  }
  return largest;
}

/// w <- a w + b g.
__device__ inline void combine(float* w, const float* g, int inputs, const RowScale& scale) {
  const auto a = static_cast<float>(scale.a);
  const auto b = static_cast<float>(scale.b);
#pragma unroll 4
  for (int i = static_cast<int>(lane()) * 4; i < inputs; i += 4 * warp_size) {
    float4 ws = four_of(w, i, inputs);
    const float4 gs = four_of(g, i, inputs);
    ws = {a * ws.x + b * gs.x, a * ws.y + b * gs.y, a * ws.z + b * gs.z, a * ws.w + b * gs.w};
    *reinterpret_cast<float4*>(w + i) = ws;
  }
  __syncwarp();
}

/// The second kernel's numbers for a living unit.
struct UnitNumbers {
  bool dies = false;
  StepSizes sizes{};
  double scale = 0;  ///< what |phi| is multiplied by to give the angle
};

__device__ inline UnitNumbers numbers_of(const AdaRadStep& s, const Working& at, const FanIns& layer,
                                         int now) {
  UnitNumbers numbers{
      .dies = false, .sizes = sizes_of(s.all, at.net, at.place.layer, at.samples), .scale = 0};
  const bool ends = layer.ends[at.unit] != 0;
  numbers.dies = ends && !spared(layer, at.net, at.place.unit, now);
  if (ends && !numbers.dies) numbers.sizes.shrinkage = 0;
  const Largest largest = largest_down_to(s, at.net, at.place.layer);
  const double norm = angular_norm(numbers.sizes, largest.average, largest.filled);
  const double own = angular_size(layer.average[at.unit], layer.filled[at.unit], s.epsilon, numbers.sizes,
                                  largest.average, largest.filled);
  numbers.scale = numbers.sizes.angular * norm / own;
  return numbers;
}

/// Counts what the step does to a unit that turns by this angle; by the warp's first thread. Sums of whole numbers are the
/// same in any order.
__device__ inline void note_step(const AdaRadStep& s, const Working& at, const RowDots& dots, double angle,
                                 const StepSizes& sizes) {
  if (lane() > 0) return;
  const StepTally tally = tally_of(dots, angle, sizes);
  StepTally& all = s.tallies[at.net * s.all.layer_count + at.place.layer];
  atomicAdd(&all.steps, tally.steps);
  atomicAdd(&all.turned, tally.turned);
  if (tally.flips > 0) atomicAdd(&all.flips, tally.flips);
  if (tally.held > 0) atomicAdd(&all.held, tally.held);
}

/// Calls f(i) for the inputs of a unit that end in this step: their columns become zero.
template <class F>
__device__ void for_ended_inputs(const UnitSteps& s, const Working& at, int inputs, int now, const F& f) {
  if (at.place.layer == 0) return;
  const FanIns& below = s.layers[at.place.layer - 1];
  const std::uint8_t* ends = below.ends + at.net * below.unit_stride;
  for (int i = static_cast<int>(lane()); i < inputs; i += warp_size) {
    if (ends[i] != 0 && !spared(below, at.net, i, now)) f(i);
  }
}

/// The net's largest numbers after this step; by one thread of the second kernel.
__device__ inline void note_largest(const AdaRadStep& s) {
  if (blockIdx.x > 0 || threadIdx.x > 0) return;
  const unsigned net = blockIdx.y;
  s.after[net] = extent_of(s.all.samples, net) > 0 ? largest_down_to(s, net, 0) : s.before[net];
}

}  // namespace coppice::cuda
