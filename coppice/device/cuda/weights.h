#pragma once

#include "coppice/device/cuda/batch.h"
#include "coppice/device/cuda/runtime.h"

namespace coppice::cuda {

/// Weights of the samples of every net, side by side.
struct SampleWeights {
  const float* all = nullptr;  ///< null: all are 1
  std::size_t stride = 0;      ///< from net to net; a multiple of 4
};

/// to[net * stride + i] = the weight of the net's i-th picked row, 0 beyond its samples.
void gather_weights(const float* weights, const PickedRows& pick, const Extent& samples, float* to,
                    std::size_t stride, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
