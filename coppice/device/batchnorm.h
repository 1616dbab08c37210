#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/activation.h"

#include <span>

namespace coppice {

// Batch normalisation, one unit per row, one sample per column:
//   mu = mean(z), d = sqrt(mean((z - mu)^2) + epsilon), y = (z - mu) / d, x = activation(a y + b)
// Weights of samples as in capnorm.h.
// a and b are a unit's row of `affine`; without free parameters (an empty view) they are 1 and 0. T is float, or double
// for checks.

constexpr double batchnorm_epsilon = 1e-5;

/// z becomes y in place; mean and divisor (one per row) receive mu and d.
template <class T>
void batchnorm_forward(View<T> z, View<const T> affine, Activation activation, View<T> x, std::span<T> mean,
                       std::span<T> divisor, std::span<const float> weights = {});

/// The same with mu and d given: a trained network at work.
template <class T>
void batchnorm_apply(View<T> z, View<const T> affine, Activation activation, View<T> x,
                     std::span<const T> mean, std::span<const T> divisor);

/// g holds dE/dx and becomes dE/dz; affine_gradient receives dE/da and dE/db of every row, if there are such:
///   gu = g * slope;  da = sum(gu y), db = sum(gu);  gy = a gu;  gz = (gy - mean(gy) - y mean(gy y)) / d
template <class T>
void batchnorm_backward(View<T> g, View<const T> affine, Activation activation, View<const T> y,
                        View<const T> x, std::span<const T> divisor, View<T> affine_gradient,
                        std::span<const float> weights = {});

}  // namespace coppice
