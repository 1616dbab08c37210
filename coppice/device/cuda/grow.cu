// New units: a block per net.
#include "coppice/device/cuda/grow.h"
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/warp.cuh"

#include <Random123/philox.h>

namespace coppice::cuda {

namespace {

constexpr unsigned threads = 256;

/// The i-th normal number of a stream of coppice::Random: each takes one block of four words.
__device__ double normal(const Births& births, unsigned net, const NewUnit& birth, int i) {
  const std::uint64_t seed = births.seeds[net];
  const r123::Philox4x32::key_type key{
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}};
  const r123::Philox4x32::ctr_type counter{
      {static_cast<std::uint32_t>(i), births.purpose, static_cast<std::uint32_t>(birth.layer), birth.unit}};
  const r123::Philox4x32::ctr_type block = r123::Philox4x32{}(counter, key);
  const auto uniform = [&](int word) {
    const std::uint64_t bits = (static_cast<std::uint64_t>(block[word]) << 32U) | block[word + 1];
    return static_cast<double>(bits >> 11U) * 0x1.0p-53;
  };
  constexpr double pi = 3.14159265358979323846;
  return sqrt(-2.0 * log(1.0 - uniform(0))) * cos(2.0 * pi * uniform(2));
}

/// Number of living inputs before this thread's in the block, and of all in the block.
__device__ int2 rank_in_block(bool living) {
  __shared__ int counts[threads / warp_size];
  const unsigned votes = __ballot_sync(0xffffffffU, living);
  if (lane() == 0) counts[threadIdx.x / warp_size] = __popc(votes);
  __syncthreads();
  int2 rank{__popc(votes & ((1U << lane()) - 1U)), 0};
  for (unsigned w = 0; w < threads / warp_size; ++w) {
    if (w < threadIdx.x / warp_size) rank.x += counts[w];
    rank.y += counts[w];
  }
  __syncthreads();
  return rank;
}

/// What a new unit's random weights lead to: units of a layer, or the inputs.
struct Neighbours {
  const FanIns* layer = nullptr;  ///< null: inputs, which all live
  int count = 0;
  float* weights = nullptr;  ///< of the first
  std::size_t stride = 0;    ///< from weight to weight

  __device__ bool lives(unsigned net, int i) const {
    return i < count && (layer == nullptr || layer->died[net * layer->unit_stride + i] == alive);
  }
};

__device__ Neighbours neighbours_of(const Births& births, unsigned net, const NewUnit& birth, int slot) {
  const FanIns& own = births.layers[birth.layer];
  if (births.fan_out) {
    const FanIns& above = births.layers[birth.layer + 1];
    return {.layer = &above,
            .count = extent_of(above.units, net),
            .weights = above.weights + net * above.net_stride + slot,
            .stride = static_cast<std::size_t>(above.stride)};
  }
  return {.layer = birth.layer > 0 ? &births.layers[birth.layer - 1] : nullptr,
          .count = extent_of(own.inputs, net),
          .weights = own.weights + net * own.net_stride + static_cast<std::size_t>(slot) * own.stride,
          .stride = 1};
}

__device__ void give_birth(const Births& births, unsigned net, const NewUnit& birth, int slot) {
  const FanIns& layer = births.layers[birth.layer];
  const Neighbours to = neighbours_of(births, net, birth, slot);
  const auto own = static_cast<int>(threadIdx.x);
  int living = 0;
  for (int base = 0; base < to.count; base += threads) {
    living += rank_in_block(to.lives(net, base + own)).y;
  }
  const double deviation = 1.0 / sqrt(static_cast<double>(living));
  int before = 0;
  for (int base = 0; base < to.count; base += threads) {
    const bool here = to.lives(net, base + own);
    const int2 rank = rank_in_block(here);
    if (base + own < to.count) {
      to.weights[static_cast<std::size_t>(base + own) * to.stride] =
          here ? static_cast<float>(deviation * normal(births, net, birth, before + rank.x)) : 0.0F;
    }
    before += rank.y;
  }
  if (own > 0) return;
  const std::size_t unit = net * layer.unit_stride + slot;
  layer.average[unit] = 0;
  layer.filled[unit] = 0;
  if (layer.mean_filled != nullptr) layer.mean_filled[unit] = 0;
  if (layer.kinks != nullptr) layer.kinks[unit] = birth.kink;
  layer.ends[unit] = 0;
  layer.died[unit] = alive;
}

__global__ void grow_kernel(const Births births) {
  begin_kernel();
  const unsigned net = blockIdx.x;
  for (int i = 0; i < births.count[net]; ++i) {
    const NewUnit birth = births.all[net * births.most + i];
    int& width = births.widths[birth.layer * gridDim.x + net];
    const int slot = width;
    give_birth(births, net, birth, slot);
    __syncthreads();
    if (threadIdx.x == 0) width = slot + 1;
    __syncthreads();
  }
}

}  // namespace

void grow(const Births& births, std::size_t nets, const Stream& stream) {
  launch_kernel(grow_kernel, {static_cast<unsigned>(nets), threads}, stream, "adding units", births);
}

}  // namespace coppice::cuda
