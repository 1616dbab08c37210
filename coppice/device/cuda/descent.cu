// Gradient descent: a warp per unit, one pass over its weights.
#include "coppice/device/cuda/descent.h"
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/unit_steps.cuh"

namespace coppice::cuda {

namespace {

template <OptimizerKind D>
constexpr bool keeps_means =
    D == OptimizerKind::momentum || D == OptimizerKind::nesterov || D == OptimizerKind::adam;
template <OptimizerKind D>
constexpr bool keeps_squares = D == OptimizerKind::rmsprop || D == OptimizerKind::adam;

/// What all weights of a unit have in common.
struct UnitMove {
  float step;         ///< of the gradient, or of its mean
  float second_step;  ///< Nesterov: of the gradient beside the mean
  float mean_rate;
  float square_rate;
  float unfilled;  ///< what running squares are multiplied by to be as if they were full
  float epsilon;
};

/// How one weight moves; m and s are what is remembered of it.
template <OptimizerKind D>
__device__ float moved(float w, float g, float& m, float& s, const UnitMove& unit) {
  if constexpr (keeps_means<D>) m = (1.0F - unit.mean_rate) * m + unit.mean_rate * g;
  if constexpr (keeps_squares<D>) s = (1.0F - unit.square_rate) * s + unit.square_rate * (g * g);
  if constexpr (D == OptimizerKind::nesterov) return w - (unit.step * m + unit.second_step * g);
  const float along = keeps_means<D> ? m : g;
  if constexpr (keeps_squares<D>) {
    return w - unit.step * along / (sqrtf(s * unit.unfilled) + unit.epsilon);
  } else {
    return w - unit.step * along;
  }
}

/// Brings up to date how full the unit's running means are, and gives the numbers of its move.
template <OptimizerKind D>
__device__ UnitMove begin_move(const DescentStep& s, const FanIns& layer, unsigned net, std::size_t unit) {
  const double alpha = s.all.sizes[net].radial;
  UnitMove move{.step = static_cast<float>(alpha),
                .second_step = 0,
                .mean_rate = static_cast<float>(s.mean_rate),
                .square_rate = static_cast<float>(s.square_rate),
                .unfilled = 1,
                .epsilon = static_cast<float>(s.epsilon)};
  if constexpr (D == OptimizerKind::nesterov) {
    move.step = static_cast<float>(alpha * (1 - s.mean_rate));
    move.second_step = static_cast<float>(alpha * s.mean_rate);
  }
  if constexpr (keeps_squares<D>) {
    const double filled = (1 - s.square_rate) * layer.filled[unit] + s.square_rate;
    move.unfilled = static_cast<float>(1 / filled);
    double mean_filled = 1;
    if constexpr (D == OptimizerKind::adam) {
      mean_filled = (1 - s.mean_rate) * layer.mean_filled[unit] + s.mean_rate;
      move.step = static_cast<float>(alpha / mean_filled);
    }
    __syncwarp();
    if (lane() == 0) {
      layer.filled[unit] = filled;
      if constexpr (D == OptimizerKind::adam) layer.mean_filled[unit] = mean_filled;
    }
  }
  return move;
}

/// All weights of a unit; false if one is not finite now.
template <OptimizerKind D>
__device__ bool move_weights(const FanIns& layer, const Working& at, int inputs, const UnitMove& move) {
  const std::size_t row = at.row;
  bool finite = true;
#pragma unroll 2
  for (int i = static_cast<int>(lane()) * 4; i < inputs; i += 4 * warp_size) {
    float4 ws = four_of(layer.weights + row, i, inputs);
    const float4 gs = gradient_of(layer, at.parts, layer.gradient + row, i);
    float4 ms{};
    float4 ss{};
    if constexpr (keeps_means<D>) ms = four_of(layer.mean + row, i, inputs);
    if constexpr (keeps_squares<D>) ss = four_of(layer.square + row, i, inputs);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      if (i + q >= inputs) continue;  // what lies beyond is zero and stays so
      float& w = (&ws.x)[q];
      w = moved<D>(w, (&gs.x)[q], (&ms.x)[q], (&ss.x)[q], move);
      finite = finite && isfinite(w);
    }
    *reinterpret_cast<float4*>(layer.weights + row + i) = ws;
    if constexpr (keeps_means<D>) *reinterpret_cast<float4*>(layer.mean + row + i) = ms;
    if constexpr (keeps_squares<D>) *reinterpret_cast<float4*>(layer.square + row + i) = ss;
  }
  return finite;
}

/// Free variance and mean of a unit, by a lane each.
template <OptimizerKind D>
__device__ bool move_free_scales(const FreeScales& scales, std::size_t unit, const UnitMove& move) {
  if (scales.values == nullptr || lane() > 1) return true;
  const std::size_t at = 2 * unit + lane();
  float m = keeps_means<D> ? scales.mean[at] : 0.0F;
  float s = keeps_squares<D> ? scales.square[at] : 0.0F;
  const float value = moved<D>(scales.values[at], scales.gradient[at], m, s, move);
  scales.values[at] = value;
  if constexpr (keeps_means<D>) scales.mean[at] = m;
  if constexpr (keeps_squares<D>) scales.square[at] = s;
  return isfinite(value);
}

template <OptimizerKind D>
__global__ void descent_kernel(const DescentStep s) {
  begin_kernel();
  const Working at = working(s.all);
  if (!at.any) return;
  const FanIns& layer = s.all.layers[at.place.layer];
  if (layer.died[at.unit] != alive) return;
  const UnitMove move = begin_move<D>(s, layer, at.net, at.unit);
  const bool weights = move_weights<D>(layer, at, extent_of(layer.inputs, at.net), move);
  const bool scales = move_free_scales<D>(layer.affine, at.unit, move);
  if (!weights || !scales) s.all.failed[at.net] = 1;
}

template <OptimizerKind D>
void launch(const DescentStep& step, std::size_t nets, const Stream& stream) {
  launch_kernel(descent_kernel<D>, {grid_of(step.all, nets), warps * warp_size}, stream, "gradient descent",
                step);
}

}  // namespace

void descend(const DescentStep& step, std::size_t nets, const Stream& stream) {
  switch (step.rule) {
    case OptimizerKind::sgd:
      return launch<OptimizerKind::sgd>(step, nets, stream);
    case OptimizerKind::momentum:
      return launch<OptimizerKind::momentum>(step, nets, stream);
    case OptimizerKind::nesterov:
      return launch<OptimizerKind::nesterov>(step, nets, stream);
    case OptimizerKind::rmsprop:
      return launch<OptimizerKind::rmsprop>(step, nets, stream);
    case OptimizerKind::adam:
      return launch<OptimizerKind::adam>(step, nets, stream);
    case OptimizerKind::adarad:
    case OptimizerKind::adarad_m:
      check(cudaErrorInvalidValue, "descending with an optimizer that turns fan-ins");
  }
}

}  // namespace coppice::cuda
