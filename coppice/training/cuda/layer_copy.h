#pragma once

#include "coppice/device/cuda/runtime.h"
#include "coppice/training/net_run.h"

#include <cstddef>

namespace coppice::cuda {

/// What is kept beside the weights.
struct NetMemory {
  bool means = false;    ///< running means of gradients
  bool squares = false;  ///< running means of their squares
  bool affine = false;   ///< free variances and means of hidden units
  bool kinks = false;    ///< offsets of the kinks of hidden units
};
NetMemory memory_for(OptimizerKind optimizer, Norm norm, double kinks = 0);

/// One version of a layer of all nets; what is not kept is null.
struct LayerCopy {
  Array<float> weights;
  Array<float> mean;
  Array<float> square;
  Array<double> average;
  Array<double> filled;
  Array<double> mean_filled;
  Array<float> affine;  ///< two numbers per unit
  Array<float> affine_mean;
  Array<float> affine_square;
  Array<float> kinks;  ///< one number per unit

  /// Numbers from net to net, and from row to row of the weights.
  struct Strides {
    std::size_t units = 0;
    std::size_t row = 0;
  };
  static LayerCopy make(std::size_t nets, const Strides& strides, bool hidden, const NetMemory& memory);

  // Between a net's layer on the host and here; enqueued. `get` takes the width from the unit ids.
  using Numbers = OptimizerState::LayerState;
  void put(std::size_t net, const Strides& strides, const Layer<float>& layer, const Numbers& numbers,
           const Stream& stream) const;
  void get(std::size_t net, const Strides& strides, std::size_t inputs, Layer<float>& layer, Numbers& numbers,
           const Stream& stream) const;
  void copy_from(const LayerCopy& other, std::size_t net, const Strides& strides, const Stream& stream) const;
};

}  // namespace coppice::cuda
