// CapNorm: a warp per unit, a lane takes four samples at a time. Rows are read again for each pass: they are
// in the first cache by then.
#include "coppice/device/capnorm.h"
#include "coppice/device/cuda/capnorm.h"
#include "coppice/device/cuda/warp.cuh"

namespace coppice::cuda {

namespace {

__device__ inline float4 quad(const float* row, int i) {
  return *reinterpret_cast<const float4*>(row + i);
}

/// Calls f(i, valid) for this lane's groups of four samples; valid < 4 at the end of a row.
template <class F>
__device__ void for_quads(int samples, const F& f) {
#pragma unroll 4
  for (int i = static_cast<int>(lane()) * 4; i < samples; i += 4 * warp_size) f(i, min(4, samples - i));
}

__device__ inline float& part(float4& four, int q) {
  return (&four.x)[q];
}

/// Sum of f(entry, index) over a row.
template <class F>
__device__ float row_sum(const float* row, int samples, const F& f) {
  float sum = 0;
  for_quads(samples, [&](int i, int valid) {
    float4 four = quad(row, i);
#pragma unroll
    for (int q = 0; q < 4; ++q) sum += q < valid ? f(part(four, q), i + q) : 0.0F;
  });
  return warp_sum(sum);
}

struct Unit {
  std::size_t row;   ///< offset of its row
  std::size_t unit;  ///< offset of its numbers
  int samples;       ///< 0: there is no such unit
};

__device__ inline Unit unit_of(const UnitRows& rows) {
  const unsigned net = blockIdx.y;
  const int j = static_cast<int>(blockIdx.x * warps + threadIdx.x / warp_size);
  return {.row = net * rows.net_stride + static_cast<std::size_t>(j) * rows.stride,
          .unit = net * rows.unit_stride + j,
          .samples = j < extent_of(rows.units, net) ? extent_of(rows.samples, net) : 0};
}

template <Activation A>
__global__ void forward_kernel(const UnitRows rows) {
  const Unit unit = unit_of(rows);
  const int n = unit.samples;
  if (n == 0) return;
  float* z = rows.z + unit.row;
  float* x = rows.x + unit.row;
  float mean = 0;
  float divisor = 1;
  if (rows.cap) {
    const auto count = static_cast<float>(n);
    mean = row_sum(z, n, [](float value, int) { return value; }) / count;
    const float variance =
        row_sum(z, n, [&](float value, int) { return (value - mean) * (value - mean); }) / count;
    divisor = variance > 1.0F ? sqrtf(variance) : 1.0F;
  }
  const float scale = 1.0F / divisor;
  for_quads(n, [&](int i, int) {  // what lies beyond the last sample is padding and may be written
    float4 y = quad(z, i);
    float4 out;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      part(y, q) = (part(y, q) - mean) * scale;
      part(out, q) = activate<A>(part(y, q));
    }
    *reinterpret_cast<float4*>(z + i) = y;
    if (x != z) *reinterpret_cast<float4*>(x + i) = out;
  });
  if (lane() == 0) {
    rows.mean[unit.unit] = mean;
    rows.divisor[unit.unit] = divisor;
  }
}

template <Activation A>
__global__ void backward_kernel(const UnitRows rows, float* const gradient) {
  const Unit unit = unit_of(rows);
  const int n = unit.samples;
  if (n == 0) return;
  const float* y = rows.z + unit.row;
  const float* x = rows.x + unit.row;
  float* g = gradient + unit.row;
  const float divisor = rows.divisor[unit.unit];
  const auto inner = [&](float value, int i) {
    const float at = y[i];
    return value * slope<A>(at, A == Activation::tanh ? x[i] : at);
  };
  float mean = 0;
  float along = 0;
  if (rows.cap) {
    float sum = 0;
    float sum_along = 0;
    for_quads(n, [&](int i, int valid) {
      float4 four = quad(g, i);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const float value = q < valid ? inner(part(four, q), i + q) : 0.0F;
        sum += value;
        sum_along += q < valid ? value * y[i + q] : 0.0F;
      }
    });
    mean = warp_sum(sum) / static_cast<float>(n);
    along = divisor > 1.0F ? warp_sum(sum_along) / static_cast<float>(n) : 0.0F;
  }
  const float scale = 1.0F / divisor;
  for_quads(n, [&](int i, int valid) {
    float4 four = quad(g, i);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      part(four, q) = q < valid ? (inner(part(four, q), i + q) - mean - y[i + q] * along) * scale : 0.0F;
    }
    *reinterpret_cast<float4*>(g + i) = four;
  });
}

dim3 grid_of(const UnitRows& rows, std::size_t nets) {
  return {blocks_for(rows.units.most), static_cast<unsigned>(nets)};
}

}  // namespace

void capnorm_forward(const UnitRows& rows, std::size_t nets, const Stream& stream) {
  with_activation(rows.activation, [&]<Activation A>() {
    forward_kernel<A><<<grid_of(rows, nets), warps * warp_size, 0, stream.get()>>>(rows);
  });
  check_launch("CapNorm");
}

void capnorm_backward(const UnitRows& rows, float* g, std::size_t nets, const Stream& stream) {
  with_activation(rows.activation, [&]<Activation A>() {
    backward_kernel<A><<<grid_of(rows, nets), warps * warp_size, 0, stream.get()>>>(rows, g);
  });
  check_launch("CapNorm");
}

}  // namespace coppice::cuda
