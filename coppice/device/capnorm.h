#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/activation.h"

#include <span>

namespace coppice {

// CapNorm, one unit per row, one sample per column:
//   mu = mean(z), sigma = sqrt(mean((z - mu)^2)), m = max(sigma, 1), y = (z - mu) / m, x = activation(y)
// A disabled CapNorm (cap = false) is mu = 0, m = 1. T is float, or double for checks.
// Samples may have weights w (one each; empty: all are 1), which means take into account: mean(z) = sum(w z) / sum(w).

/// z becomes y in place; x = activation(y). mean and divisor (one per row) receive mu and m;
/// m > 1 exactly where the cap was active.
template <class T>
void capnorm_forward(View<T> z, bool cap, Activation activation, View<T> x, std::span<T> mean,
                     std::span<T> divisor, std::span<const float> weights = {});

/// The same with mu and m given: a trained network at work.
template <class T>
void capnorm_apply(View<T> z, Activation activation, View<T> x, std::span<const T> mean,
                   std::span<const T> divisor);

/// g holds dE/dx and becomes dE/dz; `zero_learns`: a unit whose y is 0 for every sample has the slope of relu's right side:
///   gy = g * slope;  m > 1: gz = (gy - mean(gy) - y mean(gy y)) / m,  else gz = gy - mean(gy)
/// With weights gz = (gy - w (sum(gy) + y sum(gy y)) / sum(w)) / m: a gradient has its sample's weight in it already.
template <class T>
void capnorm_backward(View<T> g, bool cap, Activation activation, View<const T> y, View<const T> x,
                      std::span<const T> divisor, bool zero_learns = false,
                      std::span<const float> weights = {});

}  // namespace coppice
