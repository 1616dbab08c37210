// AdaRad-M: AdaRad's two kernels with a running mean per weight, turned with the fan-in.
#include "coppice/device/adarad_m_unit.h"
#include "coppice/device/cuda/adarad.cuh"
#include "coppice/device/cuda/launch.cuh"

namespace coppice::cuda {

namespace {

/// m = keep m + w_share w + g_share g, summed up in double: the parts may cancel. Returns m.m.
__device__ double mix(const FanIns& layer, std::size_t row, int inputs, const RowMix& share) {
  double square = 0;
#pragma unroll 2
  for (int i = static_cast<int>(lane()) * 4; i < inputs; i += 4 * warp_size) {
    float4 ms = four_of(layer.mean + row, i, inputs);
    const float4 ws = four_of(layer.weights + row, i, inputs);
    const float4 gs = four_of(layer.gradient + row, i, inputs);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      float& m = (&ms.x)[q];
      m = static_cast<float>(share.keep * m + (share.w_share * (&ws.x)[q] + share.g_share * (&gs.x)[q]));
      square += static_cast<double>(m) * m;
    }
    *reinterpret_cast<float4*>(layer.mean + row + i) = ms;
  }
  return warp_sum(square);
}

__global__ void measure_kernel(const AdaRadStep s, const double mean_rate) {
  begin_kernel();
  const Working at = working(s.all);
  if (!at.any) return;
  const FanIns& layer = s.all.layers[at.place.layer];
  if (layer.died[at.unit] != alive) {
    layer.ends[at.unit] = 0;
    return;
  }
  const int inputs = extent_of(layer.inputs, at.net);
  const RowDots dots = dots_of(layer, at, inputs);
  if (!note_dots(s, at, layer, dots)) return;
  const double square = mix(layer, at.row, inputs, adarad_m_mix(dots, mean_rate));
  if (lane() > 0) return;
  layer.mean_square[at.unit] = square;
  layer.mean_filled[at.unit] = adarad_m_filled(dots, layer.mean_filled[at.unit], mean_rate);
  if (dots.ww == 0) layer.ends[at.unit] = 0;  // it takes a plain step and may come to life
}

/// w and m at once.
__device__ void turn(float* w, float* m, int inputs, const RowTurn& by) {
  const auto ww = static_cast<float>(by.ww);
  const auto wm = static_cast<float>(by.wm);
  const auto mw = static_cast<float>(by.mw);
  const auto mm = static_cast<float>(by.mm);
#pragma unroll 2
  for (int i = static_cast<int>(lane()) * 4; i < inputs; i += 4 * warp_size) {
    const float4 a = four_of(w, i, inputs);
    const float4 b = four_of(m, i, inputs);
    *reinterpret_cast<float4*>(w + i) = {ww * a.x + wm * b.x, ww * a.y + wm * b.y, ww * a.z + wm * b.z,
                                         ww * a.w + wm * b.w};
    *reinterpret_cast<float4*>(m + i) = {mw * a.x + mm * b.x, mw * a.y + mm * b.y, mw * a.z + mm * b.z,
                                         mw * a.w + mm * b.w};
  }
  __syncwarp();
}

/// Takes out of m what lies along w.
__device__ void make_orthogonal(const float* w, float* m, int inputs) {
  double ww = 0;
  double wm = 0;
  for (int i = static_cast<int>(lane()); i < inputs; i += warp_size) {
    ww += static_cast<double>(w[i]) * w[i];
    wm += static_cast<double>(w[i]) * m[i];
  }
  ww = warp_sum(ww);
  wm = warp_sum(wm);
  if (ww > 0) combine(m, w, inputs, {1, -wm / ww});
}

__global__ void move_kernel(const AdaRadStep s) {
  begin_kernel();
  note_largest(s);
  const Working at = working(s.all);
  if (!at.any) return;
  const FanIns& layer = s.all.layers[at.place.layer];
  const int now = *s.all.first_step + s.all.step;
  if (layer.died[at.unit] != alive) return;
  const UnitNumbers numbers = numbers_of(s, at, layer, now);
  const RowDots dots = layer.dots[at.unit];
  const int inputs = extent_of(layer.inputs, at.net);
  float* w = layer.weights + at.row;
  float* m = layer.mean + at.row;
  const double scale = dots.ww == 0 ? 0 : numbers.scale / layer.mean_filled[at.unit];
  note_step(s, at, dots, scale * sqrt(layer.mean_square[at.unit]), numbers.sizes);
  if (numbers.dies) {
    turn(w, m, inputs, {0, 0, 0, 0});
  } else if (dots.ww == 0) {  // a zero output unit: a plain gradient step, then shrinkage
    combine(w, layer.gradient + at.row, inputs, adarad_unit_step(dots, 0, numbers.sizes));
  } else {
    turn(w, m, inputs, adarad_m_turn(dots, layer.mean_square[at.unit], scale, numbers.sizes));
  }
  bool ended = false;
  for_ended_inputs(s.all, at, inputs, now, [&](int i) {
    w[i] = 0;
    m[i] = 0;
    ended = true;
  });
  if (__any_sync(0xffffffffU, ended)) make_orthogonal(w, m, inputs);
  __syncwarp();
  if (numbers.dies && lane() == 0) layer.died[at.unit] = now;
}

}  // namespace

void adarad_m(const AdaRadStep& step, double mean_rate, std::size_t nets, const Stream& stream) {
  const Blocks blocks{grid_of(step.all, nets), warps * warp_size};
  launch_kernel(measure_kernel, blocks, stream, "AdaRad-M", step, mean_rate);
  launch_kernel(move_kernel, blocks, stream, "AdaRad-M", step);
}

}  // namespace coppice::cuda
