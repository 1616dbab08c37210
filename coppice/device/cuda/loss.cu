// Losses: a thread per sample; sums of a block by a fixed tree, blocks in order.
#include "coppice/device/cuda/launch.cuh"
#include "coppice/device/cuda/loss.h"
#include "coppice/device/cuda/warp.cuh"

namespace coppice::cuda {

namespace {

__device__ LossPart cross_entropy(const Scores& s, unsigned net, int i, std::uint32_t label, float scale,
                                  float* gradient) {
  const float* scores = s.scores + net * s.net_stride + i;
  const float* offset = s.offset != nullptr ? s.offset + net * s.outputs : nullptr;
  const auto score = [&](int k) {
    return scores[static_cast<std::size_t>(k) * s.stride] + (offset != nullptr ? offset[k] : 0.0F);
  };
  float top = score(0);
  int best = 0;
  for (int k = 1; k < s.outputs; ++k) {
    const float value = score(k);
    if (value > top) {
      top = value;
      best = k;
    }
  }
  float total = 0;
  for (int k = 0; k < s.outputs; ++k) total += expf(score(k) - top);
  const float to_all = s.smoothing / static_cast<float>(s.outputs);  // of the target
  const bool known = label < static_cast<std::uint32_t>(s.outputs);
  if (gradient != nullptr) {
    float* to = gradient + net * s.net_stride + i;
    const float factor = known ? scale / total : 0.0F;
    for (int k = 0; k < s.outputs; ++k) {
      const bool right = known && static_cast<std::uint32_t>(k) == label;
      to[static_cast<std::size_t>(k) * s.stride] = factor * expf(score(k) - top) - (right ? scale : 0.0F);
    }
    if (known && s.smoothing > 0) {
      for (int k = 0; k < s.outputs; ++k) to[static_cast<std::size_t>(k) * s.stride] -= scale * to_all;
      to[static_cast<std::size_t>(label) * s.stride] += scale * s.smoothing;
    }
  }
  double smoothed = 0;
  if (known && s.smoothing > 0) {
    float sum = 0;
    for (int k = 0; k < s.outputs; ++k) sum += score(k);
    smoothed = static_cast<double>(s.smoothing * score(static_cast<int>(label)) - to_all * sum);
  }
  return {.loss = known ? static_cast<double>(logf(total) + top - score(static_cast<int>(label))) + smoothed
                        : 0.0,
          .wrong = static_cast<std::uint32_t>(best) != label ? 1.0 : 0.0};
}

__device__ LossPart squared_error(const Scores& s, unsigned net, int i, float target, float scale,
                                  float* gradient) {
  const float difference = s.scores[net * s.net_stride + i] - target;
  if (gradient != nullptr) gradient[net * s.net_stride + i] = scale * 2.0F * difference;
  return {.loss = static_cast<double>(difference * difference), .wrong = 0};
}

__global__ void loss_kernel(const Scores s, const float* scale, float* gradient, LossPart* parts) {
  begin_kernel();
  const unsigned net = blockIdx.y;
  const int i = static_cast<int>(blockIdx.x * loss_block + threadIdx.x);
  LossPart own;
  float weight = 1;
  if (i < extent_of(s.samples, net)) {
    const std::uint32_t row =
        s.pick.all != nullptr ? s.pick.all[s.pick.first[net] + i] : static_cast<std::uint32_t>(i);
    float factor = scale != nullptr ? scale[net] : 0.0F;
    if (s.weights.all != nullptr) {
      weight = s.weights.all[net * s.weights.stride + i];
      factor *= weight;
    }
    own = s.labels != nullptr ? cross_entropy(s, net, i, s.labels[row], factor, gradient)
                              : squared_error(s, net, i, s.targets[row], factor, gradient);
  }
  __shared__ double losses[loss_block / warp_size];
  __shared__ float wrongs[loss_block / warp_size];  // few enough to count in float
  own.loss = warp_sum(s.weights.all != nullptr ? own.loss * weight : own.loss);
  float wrong = warp_sum(own.wrong > 0 ? weight : 0.0F);
  if (lane() == 0) {
    losses[threadIdx.x / warp_size] = own.loss;
    wrongs[threadIdx.x / warp_size] = wrong;
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (unsigned w = 1; w < loss_block / warp_size; ++w) {
    own.loss += losses[w];
    wrong += wrongs[w];
  }
  own.wrong = wrong;
  parts[net * gridDim.x + blockIdx.x] = own;
}

__global__ void keep_kernel(const Scores s, float* to, std::size_t stride, std::size_t from) {
  begin_kernel();
  const unsigned net = blockIdx.z;
  const unsigned k = blockIdx.y;
  const int i = static_cast<int>(blockIdx.x * loss_block + threadIdx.x);
  if (i >= extent_of(s.samples, net)) return;
  const std::size_t place = static_cast<std::size_t>(net) * s.outputs + k;
  const float offset = s.offset != nullptr ? s.offset[place] : 0.0F;
  to[place * stride + from + i] =
      s.scores[net * s.net_stride + static_cast<std::size_t>(k) * s.stride + i] + offset;
}

/// A warp per net: each lane takes every 32nd part.
__global__ void add_kernel(const LossPart* parts, int groups, int count, LossPart* totals) {
  begin_kernel();
  const unsigned net = blockIdx.x;
  LossPart sum;
  for (int i = static_cast<int>(lane()); i < groups * count; i += warp_size) {
    const LossPart& part = parts[(static_cast<std::size_t>(i / count) * gridDim.x + net) * count + i % count];
    sum.loss += part.loss;
    sum.wrong += part.wrong;
  }
  sum.loss = warp_sum(sum.loss);
  sum.wrong = warp_sum(sum.wrong);
  if (lane() > 0) return;
  totals[net].loss += sum.loss;
  totals[net].wrong += sum.wrong;
}

}  // namespace

int loss_parts(int samples) {
  return (samples + static_cast<int>(loss_block) - 1) / static_cast<int>(loss_block);
}

void loss(const Scores& scores, const float* scale, float* gradient, LossPart* parts, std::size_t nets,
          const Stream& stream) {
  const dim3 grid(static_cast<unsigned>(loss_parts(scores.samples.most)), static_cast<unsigned>(nets));
  launch_kernel(loss_kernel, {grid, loss_block}, stream, "the loss", scores, scale, gradient, parts);
}

void keep_scores(const Scores& scores, float* to, std::size_t stride, std::size_t from, std::size_t nets,
                 const Stream& stream) {
  const dim3 grid(static_cast<unsigned>(loss_parts(scores.samples.most)),
                  static_cast<unsigned>(scores.outputs), static_cast<unsigned>(nets));
  launch_kernel(keep_kernel, {grid, loss_block}, stream, "keeping scores", scores, to, stride, from);
}

void add_loss(const LossPart* parts, int groups, int count, LossPart* totals, std::size_t nets,
              const Stream& stream) {
  launch_kernel(add_kernel, {static_cast<unsigned>(nets), warp_size}, stream, "adding losses", parts, groups,
                count, totals);
}

}  // namespace coppice::cuda
