#pragma once

#include "coppice/core/arithmetic.h"
#include "coppice/core/choices.h"
#include "coppice/core/elementary.h"
#include "coppice/device/host_device.h"

#include <cmath>

namespace coppice {

constexpr double leaky_slope = 0.01;

template <Activation A, Arithmetic R = Arithmetic::native, class T>
COPPICE_HOST_DEVICE inline T activate(T y) {
  if constexpr (A == Activation::relu) return y > 0 ? y : T(0);
  if constexpr (A == Activation::leaky_relu) return y > 0 ? y : T(leaky_slope) * y;
  if constexpr (A == Activation::abs) return y > 0 ? y : -y;
  if constexpr (A == Activation::tanh && R == Arithmetic::portable) return static_cast<T>(portable::tanh(y));
  if constexpr (A == Activation::tanh) return std::tanh(y);
  if constexpr (A == Activation::identity) return y;
}

/// The derivative at y, given also x = activate(y).
template <Activation A, class T>
COPPICE_HOST_DEVICE inline T slope(T y, T x) {
  if constexpr (A == Activation::relu) return y > 0 ? T(1) : T(0);
  if constexpr (A == Activation::leaky_relu) return y > 0 ? T(1) : T(leaky_slope);
  if constexpr (A == Activation::abs) return y > 0 ? T(1) : T(-1);
  if constexpr (A == Activation::tanh) return T(1) - x * x;
  if constexpr (A == Activation::identity) return T(1);
}

/// Calls f with the activation as a compile-time constant.
template <class F>
void with_activation(Activation activation, const F& f) {
  switch (activation) {
    case Activation::relu:
      return f.template operator()<Activation::relu>();
    case Activation::leaky_relu:
      return f.template operator()<Activation::leaky_relu>();
    case Activation::abs:
      return f.template operator()<Activation::abs>();
    case Activation::tanh:
      return f.template operator()<Activation::tanh>();
    case Activation::identity:
      return f.template operator()<Activation::identity>();
  }
}

}  // namespace coppice
