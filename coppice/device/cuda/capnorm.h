#pragma once

#include "coppice/device/activation.h"
#include "coppice/device/cuda/batch.h"
#include "coppice/device/cuda/cut.h"
#include "coppice/device/cuda/runtime.h"
#include "coppice/device/cuda/weights.h"

namespace coppice::cuda {

/// One layer's units of every net: a row per unit, a column per sample (coppice/device/capnorm.h says what is
/// computed). Strides are multiples of 4, so that 16 bytes are read at a time.
struct UnitRows {
  float* z = nullptr;              ///< becomes y
  const float* z_parts = nullptr;  ///< if not null, z is the sum of these, laid out like z
  Cut cut{};                       ///< into parts, of sums over `inputs`
  Extent inputs{};
  std::size_t part_stride = 0;
  float* x = nullptr;  ///< z itself in an output layer
  float* mean = nullptr;
  float* divisor = nullptr;
  std::size_t net_stride = 0;   ///< of z and x
  int stride = 0;               ///< from row to row
  std::size_t unit_stride = 0;  ///< of mean and divisor, from net to net
  Extent units{};
  Extent samples{};
  SampleWeights weights{};
  bool cap = true;
  Activation activation = Activation::relu;
  const float* kinks = nullptr;  ///< offset of every unit's kink; null: all are zero
  float* deviation = nullptr;    ///< with kinks: forward leaves sigma here, backward needs it
  bool zero_learns = false;      ///< a unit whose y is 0 for every sample has the slope of relu's right side
  const float* affine =
      nullptr;  ///< batch normalisation: free variance and mean, two numbers per unit; may be null
  float* affine_gradient = nullptr;  ///< receives theirs
};

void capnorm_forward(const UnitRows& rows, std::size_t nets, const Stream& stream);

/// g, of the same strides, holds dE/dx and becomes dE/dz.
void capnorm_backward(const UnitRows& rows, float* g, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
