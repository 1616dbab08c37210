// Shrinkage of fan-ins or fan-outs: one kernel measures them, a second shortens them.
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/shrink.h"
#include "coppice/device/cuda/unit_steps.cuh"
#include "coppice/device/step_sizes.h"

namespace coppice::cuda {

namespace {

/// The size of a fan-in or fan-out decides whether anything is left of it: its length, or with p = 1 its largest weight.
/// Sizes are built up from weight to weight and from part to part.
__device__ double with_weight(const ShrinkStep& s, double size, float weight) {
  const double value = weight;
  if (!s.single) return size + value * value;
  return isnan(value) ? INFINITY : fmax(size, fabs(value));
}
__device__ double joined(const ShrinkStep& s, double size, double other) {
  return s.single ? fmax(size, other) : size + other;
}
__device__ double finished(const ShrinkStep& s, double size) {
  return s.single ? size : sqrt(size);
}

/// What the regularizer takes off in a layer of weights; 0 if it is at rest.
__device__ double amount_of(const ShrinkStep& s, unsigned net, int layer) {
  return sizes_of(s.all, net, layer, extent_of(s.all.samples, net)).shrinkage;
}
__device__ bool rests(const ShrinkStep& s, unsigned net) {
  return extent_of(s.all.samples, net) == 0 || !(s.all.sizes[net].shrinkage_per_sample > 0);
}

/// Fan-ins: a warp per unit.
__global__ void rows_kernel(const ShrinkStep s) {
  begin_kernel();
  const Working at = working(s.all);
  if (!at.any || rests(s, at.net)) return;
  const FanIns& layer = s.all.layers[at.place.layer];
  const int inputs = extent_of(layer.inputs, at.net);
  double size = 0;
  for (int i = static_cast<int>(lane()); i < inputs; i += warp_size) {
    size = with_weight(s, size, layer.weights[at.row + i]);
  }
#pragma unroll
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2) {
    size = joined(s, size, __shfl_xor_sync(0xffffffffU, size, distance));
  }
  size = finished(s, size);
  if (lane() > 0) return;
  if (!isfinite(size)) s.all.failed[at.net] = 1;
  layer.dots[at.unit].ww = size;
  const bool lives = layer.died[at.unit] == alive;
  layer.ends[at.unit] = layer.hidden && lives && size <= amount_of(s, at.net, at.place.layer) ? 1 : 0;
}

/// Fan-outs of the units below a layer, or of the inputs: a lane per column, the warps of a block take turns with rows.
__global__ void columns_kernel(const ShrinkStep s, const int l) {
  begin_kernel();
  __shared__ double parts[warps][warp_size];
  const unsigned net = blockIdx.y;
  if (rests(s, net)) return;
  const FanIns& layer = s.all.layers[l];
  const int units = extent_of(layer.units, net);
  const int inputs = extent_of(layer.inputs, net);
  const int column = static_cast<int>(blockIdx.x * warp_size + lane());
  const unsigned warp = threadIdx.x / warp_size;
  double size = 0;
  for (int j = static_cast<int>(warp); column < inputs && j < units; j += warps) {
    size = with_weight(s, size, layer.weights[row_of(layer, net, j) + column]);
  }
  parts[warp][lane()] = size;
  __syncthreads();
  if (warp > 0 || column >= inputs) return;
  for (unsigned w = 1; w < warps; ++w) size = joined(s, size, parts[w][lane()]);
  size = finished(s, size);
  if (!isfinite(size)) s.all.failed[net] = 1;
  if (l == 0) {
    s.input_sizes[net * s.input_stride + column] = size;
    return;
  }
  const FanIns& below = s.all.layers[l - 1];
  const std::size_t unit = net * below.unit_stride + column;
  below.dots[unit].ww = size;
  below.ends[unit] = below.died[unit] == alive && size <= amount_of(s, net, l) ? 1 : 0;
}

__device__ float shrunk(const ShrinkStep& s, float weight, double size, double amount) {
  if (!s.single) return weight * static_cast<float>(group_shrinkage(size, amount));
  const float left = fabsf(weight) - static_cast<float>(amount);
  if (amount == 0) return weight;
  return left > 0 ? copysignf(left, weight) : 0.0F;
}

/// A warp per unit, whichever fan is penalised.
__global__ void shrink_kernel(const ShrinkStep s) {
  begin_kernel();
  const Working at = working(s.all);
  if (!at.any || rests(s, at.net)) return;
  const FanIns& layer = s.all.layers[at.place.layer];
  const int now = *s.all.first_step + s.all.step;
  if (layer.died[at.unit] != alive) return;
  const double amount = amount_of(s, at.net, at.place.layer);
  const int inputs = extent_of(layer.inputs, at.net);
  const bool ends = layer.ends[at.unit] != 0;
  const bool dies = ends && !spared(layer, at.net, at.place.unit, now);
  const bool first = at.place.layer == 0;
  const FanIns& below = s.all.layers[first ? 0 : at.place.layer - 1];
  const std::size_t below_unit = at.net * below.unit_stride;
  const double own_size = layer.dots[at.unit].ww;
  for (int i = static_cast<int>(lane()); i < inputs; i += warp_size) {
    float& weight = layer.weights[at.row + i];
    const bool input_ends = !first && below.ends[below_unit + i] != 0;
    const bool input_dies = input_ends && !spared(below, at.net, i, now);
    if (dies || input_dies) {
      weight = 0;
      if (layer.mean != nullptr) layer.mean[at.row + i] = 0;
    } else if (s.fan_out && !input_ends) {
      const double size = first ? s.input_sizes[at.net * s.input_stride + i] : below.dots[below_unit + i].ww;
      weight = shrunk(s, weight, size, amount);
    } else if (!s.fan_out && !ends) {
      weight = shrunk(s, weight, own_size, amount);
    }
  }
  __syncwarp();
  if (dies && lane() == 0) layer.died[at.unit] = now;
}

}  // namespace

void shrink(const ShrinkStep& step, std::span<const FanIns> layers, std::size_t nets, const Stream& stream) {
  const Blocks units{grid_of(step.all, nets), warps * warp_size};
  if (step.fan_out) {
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const auto columns = static_cast<unsigned>(layers[l].inputs.most);
      const dim3 grid((columns + warp_size - 1) / warp_size, static_cast<unsigned>(nets));
      launch_kernel(columns_kernel, {grid, warps * warp_size}, stream, "measuring fan-outs", step,
                    static_cast<int>(l));
    }
  } else {
    launch_kernel(rows_kernel, units, stream, "measuring fan-ins", step);
  }
  launch_kernel(shrink_kernel, units, stream, "shrinking", step);
}

}  // namespace coppice::cuda
