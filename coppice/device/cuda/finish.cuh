#pragma once

#include "coppice/device/cuda/product.h"

namespace coppice::cuda {

/// What becomes of the entries of a row of c: a normalisation with fixed numbers, if the product asks for it. It is written
/// out for every entry that a thread holds, so it must be short, and nothing where it is not asked for.
template <bool Asked>
class Finish {
 public:
  __device__ Finish(const Product&, unsigned, int) {}
  __device__ float operator()(float value) const { return value; }
};

template <>
class Finish<true> {
 public:
  __device__ Finish(const Product& p, unsigned net, int row)
      : mean_(p.mean[net * p.unit_stride + row]),
        scale_(1 / p.divisor[net * p.unit_stride + row]),
        tanh_(p.activation == Activation::tanh),
        below_(below_zero(p.activation)) {
    if (p.affine == nullptr) return;
    const float2 affine = reinterpret_cast<const float2*>(p.affine)[net * p.unit_stride + row];
    scale_ *= affine.x;
    shift_ = affine.y;
  }

  __device__ float operator()(float value) const {
    const float y = (value - mean_) * scale_ + shift_;
    if (tanh_) return 1.0F - 2.0F / (__expf(2.0F * y) + 1.0F);
    return y > 0 ? y : below_ * y;
  }

 private:
  /// What negative numbers are multiplied by.
  __device__ static float below_zero(Activation activation) {
    switch (activation) {
      case Activation::relu:
        return 0;
      case Activation::leaky_relu:
        return static_cast<float>(leaky_slope);
      case Activation::abs:
        return -1;
      default:
        return 1;
    }
  }

  float mean_;
  float scale_;
  float shift_ = 0;
  bool tanh_;
  float below_;
};

}  // namespace coppice::cuda
