// What happens to fan-ins between epochs.
#include "coppice/device/cuda/fan_ins.h"
#include "coppice/device/cuda/warp.cuh"

namespace coppice::cuda {

namespace {

__global__ void lengths_kernel(const FanIns layer, const FanIns above, Lengths* lengths, int* failed) {
  const unsigned net = blockIdx.y;
  const int j = static_cast<int>(blockIdx.x * warps + threadIdx.x / warp_size);
  if (j >= extent_of(layer.units, net)) return;
  const float* row = layer.weights + net * layer.net_stride + static_cast<std::size_t>(j) * layer.stride;
  Lengths own;
  const int inputs = extent_of(layer.inputs, net);
  for (int i = static_cast<int>(lane()); i < inputs; i += warp_size) {
    own.fan_in += static_cast<double>(row[i]) * row[i];
  }
  own.fan_in = sqrt(warp_sum(own.fan_in));
  if (lane() == 0 && !isfinite(own.fan_in)) failed[net] = 1;
  if (!layer.hidden) return;
  const float* column = above.weights + net * above.net_stride + j;
  const int outputs = extent_of(above.units, net);
  for (int k = static_cast<int>(lane()); k < outputs; k += warp_size) {
    const double weight = column[static_cast<std::size_t>(k) * above.stride];
    own.fan_out += weight * weight;
  }
  own.fan_out = sqrt(warp_sum(own.fan_out));
  if (lane() == 0) lengths[net * layer.unit_stride + j] = own;
}

/// A block per slot: gathers rows of a matrix laid out as the weights into the gradient's memory.
__global__ void gather_kernel(const FanIns layer, const float* matrix, const int* keep, const int* keep_below,
                              std::size_t below_stride) {
  const unsigned net = blockIdx.y;
  const unsigned j = blockIdx.x;
  const int from = keep[net * layer.unit_stride + j];
  const float* row = matrix + net * layer.net_stride + static_cast<std::size_t>(from) * layer.stride;
  float* to = layer.gradient + net * layer.net_stride + static_cast<std::size_t>(j) * layer.stride;
  for (int i = static_cast<int>(threadIdx.x); i < layer.stride; i += static_cast<int>(blockDim.x)) {
    const int column = keep_below != nullptr ? keep_below[net * below_stride + i] : i;
    to[i] = from >= 0 && column >= 0 ? row[column] : 0.0F;
  }
}

__global__ void put_kernel(const FanIns layer, float* matrix) {
  const unsigned net = blockIdx.y;
  const unsigned j = blockIdx.x;
  const std::size_t row = net * layer.net_stride + static_cast<std::size_t>(j) * layer.stride;
  for (int i = static_cast<int>(threadIdx.x); i < layer.stride; i += static_cast<int>(blockDim.x)) {
    matrix[row + i] = layer.gradient[row + i];
  }
}

/// Of the first weight of the block's net's unit j.
__device__ std::size_t gradient_at(const FanIns& layer, int j) {
  return blockIdx.y * layer.net_stride + static_cast<std::size_t>(j) * layer.stride;
}

/// The units' numbers, by way of the dots' and the gradient's memory.
__global__ void gather_numbers_kernel(const FanIns layer, const int* keep) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= layer.units.most) return;
  const std::size_t first = blockIdx.y * layer.unit_stride;
  const int from = keep[first + j];
  RowDots numbers{};
  if (from >= 0) {
    numbers.gg = layer.average[first + from];
    numbers.ww = layer.filled[first + from];
    if (layer.mean_filled != nullptr) numbers.gw = layer.mean_filled[first + from];
  }
  layer.dots[first + j] = numbers;
  if (layer.kinks != nullptr)
    layer.gradient[gradient_at(layer, j)] = from >= 0 ? layer.kinks[first + from] : 0.0F;
}

__global__ void put_numbers_kernel(const FanIns layer) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= layer.units.most) return;
  const std::size_t unit = blockIdx.y * layer.unit_stride + j;
  layer.average[unit] = layer.dots[unit].gg;
  layer.filled[unit] = layer.dots[unit].ww;
  if (layer.mean_filled != nullptr) layer.mean_filled[unit] = layer.dots[unit].gw;
  if (layer.kinks != nullptr) layer.kinks[unit] = layer.gradient[gradient_at(layer, j)];
  layer.died[unit] = alive;
}

}  // namespace

void measure_lengths(const FanIns& layer, const FanIns* above, Lengths* lengths, int* failed,
                     std::size_t nets, const Stream& stream) {
  const dim3 grid(blocks_for(layer.units.most), static_cast<unsigned>(nets));
  lengths_kernel<<<grid, warps * warp_size, 0, stream.get()>>>(layer, above != nullptr ? *above : FanIns{},
                                                               lengths, failed);
  check_launch("measuring lengths");
}

void compact(const FanIns& layer, const int* keep, const int* keep_below, std::size_t below_stride,
             std::size_t nets, const Stream& stream) {
  constexpr unsigned threads = 128;
  const auto all = static_cast<unsigned>(nets);
  const dim3 rows(static_cast<unsigned>(layer.units.most), all);
  for (float* matrix : {layer.weights, layer.mean, layer.square}) {
    if (matrix == nullptr) continue;
    gather_kernel<<<rows, threads, 0, stream.get()>>>(layer, matrix, keep, keep_below, below_stride);
    put_kernel<<<rows, threads, 0, stream.get()>>>(layer, matrix);
  }
  const dim3 units((rows.x + threads - 1) / threads, all);
  gather_numbers_kernel<<<units, threads, 0, stream.get()>>>(layer, keep);
  put_numbers_kernel<<<units, threads, 0, stream.get()>>>(layer);
  check_launch("closing gaps");
}

}  // namespace coppice::cuda
