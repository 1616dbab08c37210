// AdaRad: a warp per unit. One kernel takes the dot products of all layers, another moves the fan-ins; between
// them every layer's largest average is known. Maxima are exact in any order, so atomics keep results the same.
#include "coppice/device/cuda/adarad.h"
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/unit_steps.cuh"

namespace coppice::cuda {

namespace {

/// Numbers that are not negative have the order of their bits.
__device__ void raise(double* largest, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(largest),
            static_cast<unsigned long long>(__double_as_longlong(value)));
}

__device__ RowDots dots_of(const FanIns& layer, std::size_t row, int inputs) {
  const float* w = layer.weights + row;
  float* g = layer.gradient + row;
  RowDots dots{};
#pragma unroll 4
  for (int i = static_cast<int>(lane()) * 4; i < inputs; i += 4 * warp_size) {
    const float4 ws = four_of(w, i, inputs);
    float4 gs = gradient_of(layer, g, i);
    if (layer.gradient_parts > 1) *reinterpret_cast<float4*>(g + i) = gs;  // the sum, for the second kernel
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

__global__ void measure_kernel(const AdaRadStep s) {
  begin_kernel();
  const unsigned net = blockIdx.y;
  const int samples = extent_of(s.all.samples, net);
  if (samples == 0) return;
  const Place place = place_of(s.all);
  const FanIns& layer = s.all.layers[place.layer];
  if (place.unit >= extent_of(layer.units, net)) return;
  const std::size_t unit = net * layer.unit_stride + place.unit;
  if (layer.died[unit] != alive) {
    layer.ends[unit] = 0;
    return;
  }
  const std::size_t row = row_of(layer, net, place.unit);
  const RowDots dots = dots_of(layer, row, extent_of(layer.inputs, net));
  if (lane() > 0) return;
  if (!isfinite(dots.gg) || !isfinite(dots.ww)) {
    s.all.failed[net] = 1;
    return;
  }
  const double average = (1 - s.mixing_rate) * layer.average[unit] + s.mixing_rate * angular_square(dots);
  const double filled = (1 - s.mixing_rate) * layer.filled[unit] + s.mixing_rate;
  layer.average[unit] = average;
  layer.filled[unit] = filled;
  layer.dots[unit] = dots;
  layer.ends[unit] = layer.hidden && adarad_ends_unit(dots, sizes_of(s.all, net, samples)) ? 1 : 0;
  Largest& largest = s.by_layer[net * s.all.layer_count + place.layer];
  raise(&largest.average, average);
  raise(&largest.filled, filled);
}

/// The largest numbers once the layers from the last down to this one are counted.
__device__ Largest largest_down_to(const AdaRadStep& s, unsigned net, int layer) {
  Largest largest = s.before[net];
  for (int l = s.all.layer_count; l-- > layer;) {
    const Largest& of_layer = s.by_layer[net * s.all.layer_count + l];
    largest.average = fmax(largest.average, of_layer.average);
    largest.filled = fmax(largest.filled, of_layer.filled);
  }
  return largest;
}

/// w <- a w + b g.
__device__ void combine(float* w, const float* g, int inputs, const RowScale& scale) {
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

__global__ void move_kernel(const AdaRadStep s) {
  begin_kernel();
  const unsigned net = blockIdx.y;
  const int samples = extent_of(s.all.samples, net);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    s.after[net] = samples > 0 ? largest_down_to(s, net, 0) : s.before[net];
  }
  if (samples == 0) return;
  const Place place = place_of(s.all);
  const FanIns& layer = s.all.layers[place.layer];
  if (place.unit >= extent_of(layer.units, net)) return;
  const std::size_t unit = net * layer.unit_stride + place.unit;
  const int now = *s.all.first_step + s.all.step;
  if (layer.died[unit] != alive) return;

  const RowDots dots = layer.dots[unit];
  StepSizes sizes = sizes_of(s.all, net, samples);
  const bool ends = layer.ends[unit] != 0;
  const bool dies = ends && !spared(layer, net, place.unit, now);
  if (ends && !dies) sizes.shrinkage = 0;
  const Largest largest = largest_down_to(s, net, place.layer);
  const double norm = angular_norm(sizes, largest.average, largest.filled);
  const double own = sqrt(layer.average[unit] / layer.filled[unit]) + s.epsilon;
  RowScale scale = adarad_unit_step(dots, sizes.angular * norm / own, sizes);
  if (dies) scale = {0, 0};

  const std::size_t row = row_of(layer, net, place.unit);
  const int inputs = extent_of(layer.inputs, net);
  combine(layer.weights + row, layer.gradient + row, inputs, scale);
  if (place.layer > 0) {
    const FanIns& below = s.all.layers[place.layer - 1];
    const std::uint8_t* input_ends = below.ends + net * below.unit_stride;
    for (int i = static_cast<int>(lane()); i < inputs; i += warp_size) {
      if (input_ends[i] != 0 && !spared(below, net, i, now)) layer.weights[row + i] = 0;
    }
  }
  __syncwarp();
  if (dies && lane() == 0) layer.died[unit] = now;
}

}  // namespace

void adarad(const AdaRadStep& step, std::size_t nets, const Stream& stream) {
  const Blocks blocks{grid_of(step.all, nets), warps * warp_size};
  launch_kernel(measure_kernel, blocks, stream, "AdaRad", step);
  launch_kernel(move_kernel, blocks, stream, "AdaRad", step);
}

}  // namespace coppice::cuda
