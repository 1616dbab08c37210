// CapNorm: a warp per unit.
#include "coppice/device/capnorm.h"
#include "coppice/device/cuda/capnorm.h"
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/row_quads.cuh"

namespace coppice::cuda {

namespace {

template <Activation A, bool Held, bool Weighted>
__global__ void forward_kernel(const UnitRows rows) {
  begin_kernel();
  const Unit unit = unit_of(rows);
  if (unit.samples == 0) return;
  float* z = rows.z + unit.row;
  float* x = rows.x + unit.row;
  RowQuads<Held> quads(rows.z_parts != nullptr ? rows.z_parts + unit.row : z, unit.samples,
                       parts_of(rows, unit), rows.part_stride);
  float mean = 0;
  float divisor = 1;
  if (rows.cap) {
    const float2 moments = moments_of<Weighted>(rows, unit, quads);
    mean = moments.x;
    divisor = moments.y > 1.0F ? sqrtf(moments.y) : 1.0F;
    if (rows.kinks != nullptr) {
      const float deviation = sqrtf(moments.y);
      mean += rows.kinks[unit.unit] * deviation;
      if (lane() == 0) rows.deviation[unit.unit] = deviation;
    }
  }
  const float scale = 1.0F / divisor;
  quads.each([&](int i, int, float4& y) {  // what lies beyond the last sample is padding and may be written
    float4 out;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      part(y, q) = (part(y, q) - mean) * scale;
      part(out, q) = activate<A>(part(y, q));
    }
    put(z, i, y);
    if (x != z) put(x, i, out);
  });
  if (lane() == 0) {
    rows.mean[unit.unit] = mean;
    rows.divisor[unit.unit] = divisor;
  }
}

/// (z - mu) / sigma = y stretch + offset, of units whose kinks are not all at their means.
struct Kink {
  bool any = false;
  bool flat = false;  ///< sigma is zero
  float offset = 0;
  float stretch = 1;
};

__device__ Kink kink_of(const UnitRows& rows, const Unit& unit, float divisor) {
  if (!rows.cap || rows.kinks == nullptr) return {};
  const float deviation = rows.deviation[unit.unit];
  const bool flat = divisor <= 1.0F && deviation < static_cast<float>(flat_deviation);
  return {.any = true,
          .flat = flat,
          .offset = rows.kinks[unit.unit],
          .stretch = divisor > 1.0F || flat ? 1.0F : 1.0F / deviation};
}

__device__ bool is_zero(const float* row, int samples) {
  bool zero = true;
  for (int i = static_cast<int>(lane()); i < samples; i += warp_size) zero = zero && row[i] == 0;
  return __all_sync(0xffffffffU, zero);
}

template <Activation A, bool Held, bool Weighted>
__global__ void backward_kernel(const UnitRows rows, float* const gradient) {
  begin_kernel();
  const Unit unit = unit_of(rows);
  if (unit.samples == 0) return;
  const float* y = rows.z + unit.row;
  const float* x = rows.x + unit.row;
  float* g = gradient + unit.row;
  const float divisor = rows.divisor[unit.unit];
  constexpr bool kinked = A == Activation::relu || A == Activation::leaky_relu;
  const bool open = kinked && rows.zero_learns && is_zero(y, unit.samples);
  RowQuads<Held> quads(g, unit.samples);
  // dE/dy and y of a group, zero beyond the row's end.
  const auto inner = [&](int i, int valid, float4 inside, float4& at) {
    at = *reinterpret_cast<const float4*>(y + i);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      if (q >= valid) part(at, q) = 0;
      const float out = A == Activation::tanh && q < valid ? x[i + q] : part(at, q);
      const float factor = open ? 1.0F : slope<A>(part(at, q), out);
      part(inside, q) = q < valid ? part(inside, q) * factor : 0.0F;
    }
    return inside;
  };
  const Kink kink = kink_of(rows, unit, divisor);
  float mean = 0;
  float along = 0;
  if (rows.cap) {
    quads.each([&](int i, int valid, float4& four) {
      float4 at;
      float4 inside = inner(i, valid, four, at);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        mean += part(inside, q);
        along += part(inside, q) * part(at, q);
      }
    });
    const float count = count_of<Weighted>(rows, unit);
    mean = warp_sum(mean) / count;
    along = divisor > 1.0F ? warp_sum(along) / count : 0.0F;
    if (kink.any) along = kink.flat ? 0.0F : along + kink.offset * mean;
  }
  const float scale = 1.0F / divisor;
  quads.each([&](int i, int valid, float4& four) {
    float4 at;
    float4 inside = inner(i, valid, four, at);
    if (kink.any) {
#pragma unroll
      for (int q = 0; q < 4; ++q) part(at, q) = part(at, q) * kink.stretch + kink.offset;
    }
    if constexpr (Weighted) {
      float4 weight = weights_of(rows, i);
#pragma unroll
      for (int q = 0; q < 4; ++q)
        part(inside, q) = (part(inside, q) - part(weight, q) * (mean + part(at, q) * along)) * scale;
    } else {
#pragma unroll
      for (int q = 0; q < 4; ++q) part(inside, q) = (part(inside, q) - mean - part(at, q) * along) * scale;
    }
    put(g, i, inside);
  });
}

}  // namespace

void capnorm_forward(const UnitRows& rows, std::size_t nets, const Stream& stream) {
  with_constants(rows, [&]<Activation A, bool Held, bool Weighted>() {
    launch_kernel(forward_kernel<A, Held, Weighted>, {grid_of(rows, nets), warps * warp_size}, stream,
                  "CapNorm", rows);
  });
}

void capnorm_backward(const UnitRows& rows, float* g, std::size_t nets, const Stream& stream) {
  with_constants(rows, [&]<Activation A, bool Held, bool Weighted>() {
    launch_kernel(backward_kernel<A, Held, Weighted>, {grid_of(rows, nets), warps * warp_size}, stream,
                  "CapNorm", rows, g);
  });
}

}  // namespace coppice::cuda
