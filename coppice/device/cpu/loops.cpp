#include "coppice/device/cpu/loops.h"

namespace coppice {

template <class T>
void capnorm_forward(View<T> z, bool cap, Activation activation, View<T> x, std::span<T> mean,
                     std::span<T> divisor, std::span<const float> weights, const Kinks<T>& kinks,
                     const Memory& memory) {
  return with_arithmetic([&]<Arithmetic R>() {
    return loops::capnorm_forward<R>(z, cap, activation, x, mean, divisor, weights, kinks, memory);
  });
}

template <class T>
void capnorm_apply(View<T> z, Activation activation, View<T> x, std::span<const T> mean,
                   std::span<const T> divisor) {
  return with_arithmetic(
      [&]<Arithmetic R>() { return loops::capnorm_apply<R>(z, activation, x, mean, divisor); });
}

template <class T>
void capnorm_backward(View<T> g, bool cap, Activation activation, View<const T> y, View<const T> x,
                      std::span<const T> divisor, bool zero_learns, std::span<const float> weights,
                      const Kinks<T>& kinks, const Memory& memory) {
  return with_arithmetic([&]<Arithmetic R>() {
    return loops::capnorm_backward<R>(g, cap, activation, y, x, divisor, zero_learns, weights, kinks, memory);
  });
}

template <class T>
void batchnorm_forward(View<T> z, View<const T> affine, Activation activation, View<T> x, std::span<T> mean,
                       std::span<T> divisor, std::span<const float> weights) {
  return with_arithmetic([&]<Arithmetic R>() {
    return loops::batchnorm_forward<R>(z, affine, activation, x, mean, divisor, weights);
  });
}

template <class T>
void batchnorm_apply(View<T> z, View<const T> affine, Activation activation, View<T> x,
                     std::span<const T> mean, std::span<const T> divisor) {
  return with_arithmetic(
      [&]<Arithmetic R>() { return loops::batchnorm_apply<R>(z, affine, activation, x, mean, divisor); });
}

template <class T>
void batchnorm_backward(View<T> g, View<const T> affine, Activation activation, View<const T> y,
                        View<const T> x, std::span<const T> divisor, View<T> affine_gradient,
                        std::span<const float> weights) {
  return with_arithmetic([&]<Arithmetic R>() {
    return loops::batchnorm_backward<R>(g, affine, activation, y, x, divisor, affine_gradient, weights);
  });
}

template <class T>
LossSum cross_entropy(View<const T> scores, std::span<const T> offset, std::span<const std::uint32_t> labels,
                      T scale, View<T> gradient, std::span<const float> weights, T smoothing) {
  return with_arithmetic([&]<Arithmetic R>() {
    return loops::cross_entropy<R>(scores, offset, labels, scale, gradient, weights, smoothing);
  });
}

template <class T>
void row_dots(View<const T> w, View<const T> g, std::span<RowDots> dots) {
  return with_arithmetic([&]<Arithmetic R>() { return loops::row_dots<R>(w, g, dots); });
}

template <class T>
void combine_rows(View<T> w, View<const T> g, std::span<const RowScale> scale) {
  return with_arithmetic([&]<Arithmetic R>() { return loops::combine_rows<R>(w, g, scale); });
}

template <class T>
void mix_rows(View<T> m, View<const T> w, View<const T> g, std::span<const RowMix> mix,
              std::span<double> squares) {
  return with_arithmetic([&]<Arithmetic R>() { return loops::mix_rows<R>(m, w, g, mix, squares); });
}

template <class T>
void turn_rows(View<T> w, View<T> m, std::span<const RowTurn> turn) {
  return with_arithmetic([&]<Arithmetic R>() { return loops::turn_rows<R>(w, m, turn); });
}

template <class T>
void momentum_rows(View<T> w, View<T> m, View<const T> g, const MomentumStep& step) {
  return with_arithmetic([&]<Arithmetic R>() { return loops::momentum_rows<R>(w, m, g, step); });
}

template <class T>
void adam_rows(View<T> w, View<T> m, View<T> s, View<const T> g, const AdamStep& step,
               std::span<const RowFilled> filled) {
  return with_arithmetic([&]<Arithmetic R>() { return loops::adam_rows<R>(w, m, s, g, step, filled); });
}

#define COPPICE_INSTANTIATE(T)                                                                               \
  template void capnorm_forward(View<T>, bool, Activation, View<T>, std::span<T>, std::span<T>,              \
                                std::span<const float>, const Kinks<T>&, const Memory&);                     \
  template void capnorm_apply(View<T>, Activation, View<T>, std::span<const T>, std::span<const T>);         \
  template void capnorm_backward(View<T>, bool, Activation, View<const T>, View<const T>,                    \
                                 std::span<const T>, bool, std::span<const float>, const Kinks<T>&,          \
                                 const Memory&);                                                             \
  template void batchnorm_forward(View<T>, View<const T>, Activation, View<T>, std::span<T>, std::span<T>,   \
                                  std::span<const float>);                                                   \
  template void batchnorm_apply(View<T>, View<const T>, Activation, View<T>, std::span<const T>,             \
                                std::span<const T>);                                                         \
  template void batchnorm_backward(View<T>, View<const T>, Activation, View<const T>, View<const T>,         \
                                   std::span<const T>, View<T>, std::span<const float>);                     \
  template LossSum cross_entropy(View<const T>, std::span<const T>, std::span<const std::uint32_t>, T,       \
                                 View<T>, std::span<const float>, T);                                        \
  template void row_dots(View<const T>, View<const T>, std::span<RowDots>);                                  \
  template void combine_rows(View<T>, View<const T>, std::span<const RowScale>);                             \
  template void mix_rows(View<T>, View<const T>, View<const T>, std::span<const RowMix>, std::span<double>); \
  template void turn_rows(View<T>, View<T>, std::span<const RowTurn>);                                       \
  template void momentum_rows(View<T>, View<T>, View<const T>, const MomentumStep&);                         \
  template void adam_rows(View<T>, View<T>, View<T>, View<const T>, const AdamStep&,                         \
                          std::span<const RowFilled>);
COPPICE_INSTANTIATE(float)
COPPICE_INSTANTIATE(double)
#undef COPPICE_INSTANTIATE

}  // namespace coppice
