// Batch normalisation: a warp per unit.
#include "coppice/device/batchnorm.h"
#include "coppice/device/cuda/batchnorm.h"
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/row_quads.cuh"

namespace coppice::cuda {

namespace {

/// Free variance and mean of a unit.
__device__ float2 affine_of(const UnitRows& rows, const Unit& unit) {
  return rows.affine != nullptr ? reinterpret_cast<const float2*>(rows.affine)[unit.unit]
                                : float2{1.0F, 0.0F};
}

template <Activation A, bool Held, bool Weighted>
__global__ void forward_kernel(const UnitRows rows) {
  begin_kernel();
  const Unit unit = unit_of(rows);
  if (unit.samples == 0) return;
  RowQuads<Held> quads(rows.z_parts != nullptr ? rows.z_parts + unit.row : rows.z + unit.row, unit.samples,
                       parts_of(rows, unit), rows.part_stride);
  const float2 moments = moments_of<Weighted>(rows, unit, quads);
  const float mean = moments.x;
  const float divisor = sqrtf(moments.y + static_cast<float>(batchnorm_epsilon));
  const float scale = 1.0F / divisor;
  const float2 affine = affine_of(rows, unit);
  quads.each([&](int i, int, float4& y) {  // what lies beyond the last sample is padding and may be written
    float4 out;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      part(y, q) = (part(y, q) - mean) * scale;
      part(out, q) = activate<A>(affine.x * part(y, q) + affine.y);
    }
    put(rows.z + unit.row, i, y);
    put(rows.x + unit.row, i, out);
  });
  if (lane() == 0) {
    rows.mean[unit.unit] = mean;
    rows.divisor[unit.unit] = divisor;
  }
}

template <Activation A, bool Held, bool Weighted>
__global__ void backward_kernel(const UnitRows rows, float* const gradient) {
  begin_kernel();
  const Unit unit = unit_of(rows);
  if (unit.samples == 0) return;
  const float* y = rows.z + unit.row;
  const float* x = rows.x + unit.row;
  float* g = gradient + unit.row;
  const float2 affine = affine_of(rows, unit);
  RowQuads<Held> quads(g, unit.samples);
  // dE/d(a y + b) and y of a group, zero beyond the row's end.
  const auto inner = [&](int i, int valid, float4 inside, float4& at) {
    at = *reinterpret_cast<const float4*>(y + i);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      if (q >= valid) part(at, q) = 0;
      const float out = A == Activation::tanh && q < valid ? x[i + q] : 0.0F;
      part(inside, q) = q < valid ? part(inside, q) * slope<A>(affine.x * part(at, q) + affine.y, out) : 0.0F;
    }
    return inside;
  };
  float total = 0;
  float along = 0;
  quads.each([&](int i, int valid, float4& four) {
    float4 at;
    float4 inside = inner(i, valid, four, at);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      total += part(inside, q);
      along += part(inside, q) * part(at, q);
    }
  });
  total = warp_sum(total);
  along = warp_sum(along);
  if (rows.affine != nullptr && lane() == 0) {
    reinterpret_cast<float2*>(rows.affine_gradient)[unit.unit] = {along, total};
  }
  const float count = count_of<Weighted>(rows, unit);
  const float factor = affine.x / rows.divisor[unit.unit];
  quads.each([&](int i, int valid, float4& four) {
    float4 at;
    float4 inside = inner(i, valid, four, at);
    if constexpr (Weighted) {
      float4 weight = weights_of(rows, i);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        part(inside, q) =
            (part(inside, q) - part(weight, q) * (total / count + part(at, q) * (along / count))) * factor;
      }
    } else {
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        part(inside, q) = (part(inside, q) - total / count - part(at, q) * (along / count)) * factor;
      }
    }
    put(g, i, inside);
  });
}

}  // namespace

void batchnorm_forward(const UnitRows& rows, std::size_t nets, const Stream& stream) {
  with_constants(rows, [&]<Activation A, bool Held, bool Weighted>() {
    launch_kernel(forward_kernel<A, Held, Weighted>, {grid_of(rows, nets), warps * warp_size}, stream,
                  "batch normalisation", rows);
  });
}

void batchnorm_backward(const UnitRows& rows, float* g, std::size_t nets, const Stream& stream) {
  with_constants(rows, [&]<Activation A, bool Held, bool Weighted>() {
    launch_kernel(backward_kernel<A, Held, Weighted>, {grid_of(rows, nets), warps * warp_size}, stream,
                  "batch normalisation", rows, g);
  });
}

}  // namespace coppice::cuda
