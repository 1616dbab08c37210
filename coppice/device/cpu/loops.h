#pragma once

#include "coppice/core/arithmetic.h"
#include "coppice/device/batchnorm.h"
#include "coppice/device/capnorm.h"
#include "coppice/device/loss.h"
#include "coppice/device/rows.h"
#include "coppice/device/weight_rows.h"

// Both forms of our loops (simd.h), of which loops.cpp calls the one that the thread computes with.
namespace coppice::loops {

template <Arithmetic R, class T>
void capnorm_forward(View<T> z, bool cap, Activation activation, View<T> x, std::span<T> mean,
                     std::span<T> divisor, std::span<const float> weights, const Kinks<T>& kinks,
                     const Memory& memory);
template <Arithmetic R, class T>
void capnorm_apply(View<T> z, Activation activation, View<T> x, std::span<const T> mean,
                   std::span<const T> divisor);
template <Arithmetic R, class T>
void capnorm_backward(View<T> g, bool cap, Activation activation, View<const T> y, View<const T> x,
                      std::span<const T> divisor, bool zero_learns, std::span<const float> weights,
                      const Kinks<T>& kinks, const Memory& memory);
template <Arithmetic R, class T>
void batchnorm_forward(View<T> z, View<const T> affine, Activation activation, View<T> x, std::span<T> mean,
                       std::span<T> divisor, std::span<const float> weights);
template <Arithmetic R, class T>
void batchnorm_apply(View<T> z, View<const T> affine, Activation activation, View<T> x,
                     std::span<const T> mean, std::span<const T> divisor);
template <Arithmetic R, class T>
void batchnorm_backward(View<T> g, View<const T> affine, Activation activation, View<const T> y,
                        View<const T> x, std::span<const T> divisor, View<T> affine_gradient,
                        std::span<const float> weights);
template <Arithmetic R, class T>
LossSum cross_entropy(View<const T> scores, std::span<const T> offset, std::span<const std::uint32_t> labels,
                      T scale, View<T> gradient, std::span<const float> weights, T smoothing);
template <Arithmetic R, class T>
void row_dots(View<const T> w, View<const T> g, std::span<RowDots> dots);
template <Arithmetic R, class T>
void combine_rows(View<T> w, View<const T> g, std::span<const RowScale> scale);
template <Arithmetic R, class T>
void mix_rows(View<T> m, View<const T> w, View<const T> g, std::span<const RowMix> mix,
              std::span<double> squares);
template <Arithmetic R, class T>
void turn_rows(View<T> w, View<T> m, std::span<const RowTurn> turn);
template <Arithmetic R, class T>
void momentum_rows(View<T> w, View<T> m, View<const T> g, const MomentumStep& step);
template <Arithmetic R, class T>
void adam_rows(View<T> w, View<T> m, View<T> s, View<const T> g, const AdamStep& step,
               std::span<const RowFilled> filled);

}  // namespace coppice::loops
