#pragma once

#include "coppice/device/cuda/capnorm.h"
#include "coppice/device/cuda/warp.cuh"

// How normalisations read a unit's samples: a warp per unit, a lane takes four samples at a time. Rows of an ordinary
// batch stay in registers between passes; longer ones are read again.
namespace coppice::cuda {

constexpr int held_quads = 8;
constexpr int held_samples = held_quads * 4 * static_cast<int>(warp_size);

__device__ inline float& part(float4& four, int q) {
  return (&four.x)[q];
}

/// One row as a lane sees it: groups of four samples, 128 samples apart.
template <bool Held>
class RowQuads {
 public:
  /// The row is the sum of `parts` that lie `part_stride` apart.
  __device__ RowQuads(const float* row, int samples, int parts = 1, std::size_t part_stride = 0)
      : row_(row), samples_(samples), parts_(parts), part_stride_(part_stride) {
    if constexpr (Held) {
#pragma unroll
      for (int h = 0; h < held_quads; ++h) {
        const int i = first() + h * apart;
        held_[h] = i < samples ? quad(i, 0) : float4{};
      }
      for (int p = 1; p < parts; ++p) {
#pragma unroll
        for (int h = 0; h < held_quads; ++h) {
          const int i = first() + h * apart;
          if (i < samples) held_[h] = sum(held_[h], quad(i, p));
        }
      }
    }
  }

  /// Calls f(i, valid, four) for each group: valid < 4 at the end of the row, and what is beyond is unspecified.
  template <class F>
  __device__ void each(const F& f) {
    if constexpr (Held) {
#pragma unroll
      for (int h = 0; h < held_quads; ++h) {
        const int i = first() + h * apart;
        if (i < samples_) f(i, min(4, samples_ - i), held_[h]);
      }
    } else {
#pragma unroll 4
      for (int i = first(); i < samples_; i += apart) {
        float4 four = quad(i, 0);
        for (int p = 1; p < parts_; ++p) four = sum(four, quad(i, p));
        f(i, min(4, samples_ - i), four);
      }
    }
  }

  /// Sum of f(entry) over the row.
  template <class F>
  __device__ float sum(const F& f) {
    float total = 0;
    each([&](int, int valid, float4& four) {
#pragma unroll
      for (int q = 0; q < 4; ++q) total += q < valid ? f(part(four, q)) : 0.0F;
    });
    return warp_sum(total);
  }

  /// Sum of f(entry, weight) over the row.
  template <class F>
  __device__ float sum(const float* weights, const F& f) {
    float total = 0;
    each([&](int i, int valid, float4& four) {
      float4 weight = *reinterpret_cast<const float4*>(weights + i);
#pragma unroll
      for (int q = 0; q < 4; ++q) total += q < valid ? f(part(four, q), part(weight, q)) : 0.0F;
    });
    return warp_sum(total);
  }

 private:
  static constexpr int apart = 4 * static_cast<int>(warp_size);
  __device__ static int first() {
    return static_cast<int>(lane()) * 4;
  }
  __device__ float4 quad(int i, int part) const {
    return *reinterpret_cast<const float4*>(row_ + part * part_stride_ + i);
  }
  __device__ static float4 sum(const float4& a, const float4& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
  }

  const float* row_;
  int samples_;
  int parts_;
  std::size_t part_stride_;
  float4 held_[Held ? held_quads : 1];
};

__device__ inline void put(float* row, int i, const float4& four) {
  *reinterpret_cast<float4*>(row + i) = four;
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

/// In how many parts its product came.
__device__ inline int parts_of(const UnitRows& rows, const Unit& unit) {
  if (rows.z_parts == nullptr) return 1;
  const unsigned net = blockIdx.y;
  return parts_of(rows.cut, extent_of(rows.units, net), unit.samples, extent_of(rows.inputs, net));
}

/// What sums over a unit's samples are divided by: their number, or that of their weights.
template <bool Weighted>
__device__ float count_of(const UnitRows& rows, const Unit& unit) {
  if constexpr (!Weighted) return static_cast<float>(unit.samples);
  const float* weights = rows.weights.all + blockIdx.y * rows.weights.stride;
  float total = 0;
  for (int i = static_cast<int>(lane()); i < unit.samples; i += warp_size) total += weights[i];
  return warp_sum(total);
}

/// Mean and mean square deviation of a unit's row.
template <bool Weighted, bool Held>
__device__ float2 moments_of(const UnitRows& rows, const Unit& unit, RowQuads<Held>& quads) {
  const float count = count_of<Weighted>(rows, unit);
  if constexpr (!Weighted) {
    const float mean = quads.sum([](float value) { return value; }) / count;
    return {mean, quads.sum([&](float value) { return (value - mean) * (value - mean); }) / count};
  } else {
    const float* weights = rows.weights.all + blockIdx.y * rows.weights.stride;
    const float mean = quads.sum(weights, [](float value, float weight) { return weight * value; }) / count;
    return {mean, quads.sum(weights, [&](float value, float weight) {
              return weight * (value - mean) * (value - mean);
            }) / count};
  }
}

/// The weights of a group of samples.
__device__ inline float4 weights_of(const UnitRows& rows, int i) {
  return *reinterpret_cast<const float4*>(rows.weights.all + blockIdx.y * rows.weights.stride + i);
}

/// Calls f with the activation, whether rows fit into registers and whether samples have weights, as compile-time
/// constants.
template <class F>
void with_constants(const UnitRows& rows, const F& f) {
  with_activation(rows.activation, [&]<Activation A>() {
    const bool held = rows.samples.most <= held_samples;
    if (rows.weights.all != nullptr) {
      held ? f.template operator()<A, true, true>() : f.template operator()<A, false, true>();
    } else {
      held ? f.template operator()<A, true, false>() : f.template operator()<A, false, false>();
    }
  });
}

inline dim3 grid_of(const UnitRows& rows, std::size_t nets) {
  return {blocks_for(rows.units.most), static_cast<unsigned>(nets)};
}

}  // namespace coppice::cuda
