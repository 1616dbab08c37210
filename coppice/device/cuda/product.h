#pragma once

#include "coppice/device/activation.h"
#include "coppice/device/cuda/batch.h"
#include "coppice/device/cuda/cut.h"
#include "coppice/device/cuda/runtime.h"
#include "coppice/device/product.h"

namespace coppice::cuda {

/// One row-major matrix per net. Strides are multiples of 4, so that 16 bytes are read at a time.
struct Matrices {
  const float* data = nullptr;
  std::size_t net_stride = 0;  ///< 0: one matrix for all
  int stride = 0;              ///< from row to row
  PickedRows pick{};           ///< of the second factor's rows
};

/// c = op_a(a) op_b(b) for every net, c being m x n and k the length of the sums. If `mean` is given, row i of
/// c becomes activation(a (c - mean[i]) / divisor[i] + b): a normalisation with fixed numbers; not with a transposed a.
struct Product {
  Op op_a = Op::plain;
  Matrices a{};
  Op op_b = Op::plain;
  Matrices b{};
  float* c = nullptr;
  std::size_t c_net_stride = 0;
  int c_stride = 0;
  Extent m{};
  Extent n{};
  Extent k{};
  const float* mean = nullptr;
  const float* divisor = nullptr;
  const float* affine = nullptr;  ///< the numbers a and b of every row; null: 1 and 0
  std::size_t unit_stride = 0;    ///< of mean, divisor and affine, from net to net
  Activation activation = Activation::identity;
  Load load{};    ///< a large one goes to wgmma
  Cut cut{};      ///< c + i * part_stride receives the i-th part of the sums; not with `mean`
  int parts = 1;  ///< that no net has more of now
  std::size_t part_stride = 0;
};

/// Both transposed is not offered: nothing needs it. Bits of a net's c depend on its own shapes and values, on load and
/// cut, on nothing else. For fp32 every factor is the sum of two tf32 numbers, which is as exact as float32.
void product(const Product& p, std::size_t nets, Precision precision, const Stream& stream);

}  // namespace coppice::cuda
