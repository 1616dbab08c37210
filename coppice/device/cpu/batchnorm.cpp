#include "coppice/device/cpu/loops.h"
#include "coppice/device/cpu/simd.h"

#include <cmath>

namespace coppice::loops {

namespace {

template <class T>
struct Affine {
  T scale = 1;
  T shift = 0;
};

template <class T>
Affine<T> affine_of(View<const T> affine, std::size_t unit) {
  if (affine.data == nullptr) return {};
  return {affine(unit, 0), affine(unit, 1)};
}

template <class T>
COPPICE_SIMD void measure_unit(const T* z, std::size_t n, T& mean, T& divisor) {
  const simd::Moments<T> of = simd::moments(z, n);
  mean = of.mean;
  divisor = std::sqrt(of.variance + static_cast<T>(batchnorm_epsilon));
}

template <class T>
COPPICE_SIMD void measure_weighted_unit(const T* z, const float* w, std::size_t n, T& mean, T& divisor) {
  const simd::Moments<T> of = simd::moments(z, w, n);
  mean = of.mean;
  divisor = std::sqrt(of.variance + static_cast<T>(batchnorm_epsilon));
}

template <Activation A, class T>
COPPICE_SIMD void normalise_unit(T* z, T* x, std::size_t n, T mean, T divisor, T scale, T shift) {
  const T factor = T(1) / divisor;
  for (std::size_t i = 0; i < n; ++i) {
    const T y = (z[i] - mean) * factor;
    z[i] = y;
    x[i] = activate<A, simd::compiled>(scale * y + shift);
  }
}

template <Activation A, class T>
COPPICE_SIMD void backward_unit(T* g, const T* y, const T* x, std::size_t n, T divisor, T scale, T shift,
                                T& scale_gradient, T& shift_gradient) {
  for (std::size_t i = 0; i < n; ++i) g[i] *= slope<A>(scale * y[i] + shift, x[i]);
  const T count = static_cast<T>(n);
  shift_gradient = simd::sum<T>(n, [&](std::size_t i) { return g[i]; });
  scale_gradient = simd::sum<T>(n, [&](std::size_t i) { return g[i] * y[i]; });
  const T mean = shift_gradient / count;
  const T along = scale_gradient / count;
  const T factor = scale / divisor;
  for (std::size_t i = 0; i < n; ++i) g[i] = (g[i] - mean - y[i] * along) * factor;
}

template <Activation A, class T>
COPPICE_SIMD void backward_weighted_unit(T* g, const T* y, const T* x, const float* w, std::size_t n,
                                         T divisor, T scale, T shift, T& scale_gradient, T& shift_gradient) {
  for (std::size_t i = 0; i < n; ++i) g[i] *= slope<A>(scale * y[i] + shift, x[i]);
  const T count = simd::sum<T>(n, [&](std::size_t i) { return static_cast<T>(w[i]); });
  shift_gradient = simd::sum<T>(n, [&](std::size_t i) { return g[i]; });
  scale_gradient = simd::sum<T>(n, [&](std::size_t i) { return g[i] * y[i]; });
  const T mean = shift_gradient / count;
  const T along = scale_gradient / count;
  const T factor = scale / divisor;
  for (std::size_t i = 0; i < n; ++i) g[i] = (g[i] - static_cast<T>(w[i]) * (mean + y[i] * along)) * factor;
}

/// A loop over units, compiled for their activation and for the vectors of this processor.
template <class F>
void for_units(Activation activation, const F& f) {
  with_activation(activation, [&]<Activation A>() { simd::vectorised([&] { f.template operator()<A>(); }); });
}

}  // namespace

template <Arithmetic R, class T>
void batchnorm_forward(View<T> z, View<const T> affine, Activation activation, View<T> x, std::span<T> mean,
                       std::span<T> divisor, std::span<const float> weights) {
  simd::vectorised([&] {
    for (std::size_t j = 0; j < z.rows; ++j) {
      if (weights.empty()) {
        measure_unit(z[j], z.cols, mean[j], divisor[j]);
      } else {
        measure_weighted_unit(z[j], weights.data(), z.cols, mean[j], divisor[j]);
      }
    }
  });
  batchnorm_apply<R>(z, affine, activation, x, std::span<const T>(mean), std::span<const T>(divisor));
}

template <Arithmetic R, class T>
void batchnorm_apply(View<T> z, View<const T> affine, Activation activation, View<T> x,
                     std::span<const T> mean, std::span<const T> divisor) {
  for_units(activation, [&]<Activation A>() {
    for (std::size_t j = 0; j < z.rows; ++j) {
      const Affine<T> own = affine_of(affine, j);
      normalise_unit<A>(z[j], x[j], z.cols, mean[j], divisor[j], own.scale, own.shift);
    }
  });
}

template <Arithmetic R, class T>
void batchnorm_backward(View<T> g, View<const T> affine, Activation activation, View<const T> y,
                        View<const T> x, std::span<const T> divisor, View<T> affine_gradient,
                        std::span<const float> weights) {
  for_units(activation, [&]<Activation A>() {
    for (std::size_t j = 0; j < g.rows; ++j) {
      const Affine<T> own = affine_of(affine, j);
      Affine<T> gradient;
      if (weights.empty()) {
        backward_unit<A>(g[j], y[j], x[j], g.cols, divisor[j], own.scale, own.shift, gradient.scale,
                         gradient.shift);
      } else {
        backward_weighted_unit<A>(g[j], y[j], x[j], weights.data(), g.cols, divisor[j], own.scale, own.shift,
                                  gradient.scale, gradient.shift);
      }
      if (affine.data == nullptr) continue;
      affine_gradient(j, 0) = gradient.scale;
      affine_gradient(j, 1) = gradient.shift;
    }
  });
}

#define COPPICE_INSTANTIATE(T)                                                                               \
  template void batchnorm_forward<simd::compiled>(View<T>, View<const T>, Activation, View<T>, std::span<T>, \
                                                  std::span<T>, std::span<const float>);                     \
  template void batchnorm_apply<simd::compiled>(View<T>, View<const T>, Activation, View<T>,                 \
                                                std::span<const T>, std::span<const T>);                     \
  template void batchnorm_backward<simd::compiled>(View<T>, View<const T>, Activation, View<const T>,        \
                                                   View<const T>, std::span<const T>, View<T>,               \
                                                   std::span<const float>);
COPPICE_INSTANTIATE(float)
COPPICE_INSTANTIATE(double)

}  // namespace coppice::loops
