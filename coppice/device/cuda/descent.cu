// Gradient descent: a warp per unit, one pass over its weights.
#include "coppice/device/cuda/descent.h"
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/unit_steps.cuh"

namespace coppice::cuda {

namespace {

template <Descent D>
constexpr bool keeps_means = D == Descent::momentum || D == Descent::nesterov || D == Descent::adam;
template <Descent D>
constexpr bool keeps_squares = D == Descent::rmsprop || D == Descent::adam;

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
template <Descent D>
__device__ float moved(float w, float g, float& m, float& s, const UnitMove& unit) {
  if constexpr (keeps_means<D>) m = (1.0F - unit.mean_rate) * m + unit.mean_rate * g;
  if constexpr (keeps_squares<D>) s = (1.0F - unit.square_rate) * s + unit.square_rate * (g * g);
  if constexpr (D == Descent::nesterov) return w - (unit.step * m + unit.second_step * g);
  const float along = keeps_means<D> ? m : g;
  if constexpr (keeps_squares<D>) {
    return w - unit.step * along / (sqrtf(s * unit.unfilled) + unit.epsilon);
  } else {
    return w - unit.step * along;
  }
}

/// Brings up to date how full the unit's running means are, and gives the numbers of its move.
template <Descent D>
__device__ UnitMove begin_move(const DescentStep& s, const FanIns& layer, unsigned net, std::size_t unit) {
  const double alpha = s.all.sizes[net].radial;
  UnitMove move{.step = static_cast<float>(alpha),
                .second_step = 0,
                .mean_rate = static_cast<float>(s.mean_rate),
                .square_rate = static_cast<float>(s.square_rate),
                .unfilled = 1,
                .epsilon = static_cast<float>(s.epsilon)};
  if constexpr (D == Descent::nesterov) {
    move.step = static_cast<float>(alpha * (1 - s.mean_rate));
    move.second_step = static_cast<float>(alpha * s.mean_rate);
  }
  if constexpr (keeps_squares<D>) {
    const double filled = (1 - s.square_rate) * layer.filled[unit] + s.square_rate;
    move.unfilled = static_cast<float>(1 / filled);
    double mean_filled = 1;
    if constexpr (D == Descent::adam) {
      mean_filled = (1 - s.mean_rate) * layer.mean_filled[unit] + s.mean_rate;
      move.step = static_cast<float>(alpha / mean_filled);
    }
    __syncwarp();
    if (lane() == 0) {
      layer.filled[unit] = filled;
      if constexpr (D == Descent::adam) layer.mean_filled[unit] = mean_filled;
    }
  }
  return move;
}

/// All weights of a unit; false if one is not finite now.
template <Descent D>
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
template <Descent D>
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

template <Descent D>
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

template <Descent D>
void launch(const DescentStep& step, std::size_t nets, const Stream& stream) {
  launch_kernel(descent_kernel<D>, {grid_of(step.all, nets), warps * warp_size}, stream, "gradient descent",
                step);
}

}  // namespace

void descend(const DescentStep& step, std::size_t nets, const Stream& stream) {
  switch (step.rule) {
    case Descent::sgd:
      return launch<Descent::sgd>(step, nets, stream);
    case Descent::momentum:
      return launch<Descent::momentum>(step, nets, stream);
    case Descent::nesterov:
      return launch<Descent::nesterov>(step, nets, stream);
    case Descent::rmsprop:
      return launch<Descent::rmsprop>(step, nets, stream);
    case Descent::adam:
      return launch<Descent::adam>(step, nets, stream);
  }
}

}  // namespace coppice::cuda
