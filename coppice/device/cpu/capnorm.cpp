#include "coppice/device/cpu/loops.h"
#include "coppice/device/cpu/simd.h"

#include <algorithm>
#include <cmath>

namespace coppice::loops {

namespace {

template <Activation A, class T>
COPPICE_SIMD void normalise_unit(T* z, T* x, std::size_t n, T mean, T divisor) {
  const T scale = T(1) / divisor;
  for (std::size_t i = 0; i < n; ++i) {
    const T y = (z[i] - mean) * scale;
    z[i] = y;
    x[i] = activate<A, simd::compiled>(y);
  }
}

template <class T>
COPPICE_SIMD void measure_unit(const T* z, std::size_t n, simd::Moments<T>& of) {
  of = simd::moments(z, n);
}

template <class T>
COPPICE_SIMD void measure_weighted_unit(const T* z, const float* w, std::size_t n, simd::Moments<T>& of) {
  of = simd::moments(z, w, n);
}

template <Activation A, class T>
COPPICE_SIMD void backward_unit(T* g, bool cap, const T* y, const T* x, std::size_t n, T divisor) {
  for (std::size_t i = 0; i < n; ++i) g[i] *= slope<A>(y[i], x[i]);
  if (!cap) return;
  const T count = static_cast<T>(n);
  const T mean = simd::sum<T>(n, [&](std::size_t i) { return g[i]; }) / count;
  if (divisor > T(1)) {
    const T along = simd::sum<T>(n, [&](std::size_t i) { return g[i] * y[i]; }) / count;
    const T scale = T(1) / divisor;
    for (std::size_t i = 0; i < n; ++i) g[i] = (g[i] - mean - y[i] * along) * scale;
  } else {
    for (std::size_t i = 0; i < n; ++i) g[i] -= mean;
  }
}

template <Activation A, class T>
COPPICE_SIMD void backward_weighted_unit(T* g, bool cap, const T* y, const T* x, const float* w,
                                         std::size_t n, T divisor) {
  for (std::size_t i = 0; i < n; ++i) g[i] *= slope<A>(y[i], x[i]);
  if (!cap) return;
  const T count = simd::sum<T>(n, [&](std::size_t i) { return static_cast<T>(w[i]); });
  const T mean = simd::sum<T>(n, [&](std::size_t i) { return g[i]; }) / count;
  const T along = divisor > T(1) ? simd::sum<T>(n, [&](std::size_t i) { return g[i] * y[i]; }) / count : T(0);
  const T scale = T(1) / divisor;
  for (std::size_t i = 0; i < n; ++i) g[i] = (g[i] - static_cast<T>(w[i]) * (mean + y[i] * along)) * scale;
}

/// Offsets of kinks or none, weights of samples or none (null), a memory or none (null).
template <class T>
struct Unit {
  T offset = 0;
  T deviation = 0;
  const float* weights = nullptr;
  SeenUnit* seen = nullptr;
  double share = 1;
};

template <Activation A, class T>
COPPICE_SIMD void backward_any_unit(T* g, const T* y, const T* x, std::size_t n, T divisor,
                                    const Unit<T>& u) {
  const float* w = u.weights;
  const auto weight = [&](std::size_t i) { return w == nullptr ? T(1) : static_cast<T>(w[i]); };
  for (std::size_t i = 0; i < n; ++i) g[i] *= slope<A>(y[i], x[i]);
  const T count = w == nullptr ? static_cast<T>(n) : simd::sum<T>(n, weight);
  T mean = simd::sum<T>(n, [&](std::size_t i) { return g[i]; }) / count;
  const bool divided = divisor > T(1);
  T straight = divided || u.seen != nullptr
                   ? simd::sum<T>(n, [&](std::size_t i) { return g[i] * y[i]; }) / count
                   : T(0);
  if (u.seen != nullptr) {
    remember_slopes(*u.seen, static_cast<double>(mean), static_cast<double>(straight), u.share);
    mean = static_cast<T>(u.seen->slope);
    straight = divided ? static_cast<T>(u.seen->along) : T(0);
  }
  // h = y stretch + offset
  const bool flat = !divided && u.deviation < T(flat_deviation);
  const T along = flat ? T(0) : straight + u.offset * mean;
  const T stretch = divided || flat ? T(1) : T(1) / u.deviation;
  const T scale = T(1) / divisor;
  for (std::size_t i = 0; i < n; ++i)
    g[i] = (g[i] - weight(i) * (mean + (y[i] * stretch + u.offset) * along)) * scale;
}

/// A loop over units, compiled for their activation and for the vectors of this processor.
template <class F>
void for_units(Activation activation, const F& f) {
  with_activation(activation, [&]<Activation A>() { simd::vectorised([&] { f.template operator()<A>(); }); });
}

template <class T>
bool is_zero(std::span<const T> values) {
  return std::ranges::all_of(values, [](T value) { return value == 0; });
}

}  // namespace

template <Arithmetic R, class T>
void capnorm_forward(View<T> z, bool cap, Activation activation, View<T> x, std::span<T> mean,
                     std::span<T> divisor, std::span<const float> weights, const Kinks<T>& kinks,
                     const Memory& memory) {
  for_units(activation, [&]<Activation A>() {
    for (std::size_t j = 0; j < z.rows; ++j) {
      simd::Moments<T> of;  // of a unit that is not capped: zero
      if (cap && weights.empty()) measure_unit(z[j], z.cols, of);
      if (cap && !weights.empty()) measure_weighted_unit(z[j], weights.data(), z.cols, of);
      if (cap && !memory.units.empty()) {
        SeenUnit& seen = memory.units[j];
        remember(seen, static_cast<double>(of.mean), static_cast<double>(of.variance), memory.share);
        of = {static_cast<T>(seen.mean), static_cast<T>(seen.variance)};
      }
      mean[j] = of.mean;
      divisor[j] = of.variance > T(1) ? std::sqrt(of.variance) : T(1);
      if (!kinks.offsets.empty()) {
        const T deviation = std::sqrt(of.variance);
        mean[j] += kinks.offsets[j] * deviation;
        if (!kinks.deviations.empty()) kinks.deviations[j] = deviation;
      }
      normalise_unit<A>(z[j], x[j], z.cols, mean[j], divisor[j]);
    }
  });
}

template <Arithmetic R, class T>
void capnorm_apply(View<T> z, Activation activation, View<T> x, std::span<const T> mean,
                   std::span<const T> divisor) {
  for_units(activation, [&]<Activation A>() {
    for (std::size_t j = 0; j < z.rows; ++j) normalise_unit<A>(z[j], x[j], z.cols, mean[j], divisor[j]);
  });
}

template <Arithmetic R, class T>
void capnorm_backward(View<T> g, bool cap, Activation activation, View<const T> y, View<const T> x,
                      std::span<const T> divisor, bool zero_learns, std::span<const float> weights,
                      const Kinks<T>& kinks, const Memory& memory) {
  const auto backward = [&]<Activation A>(std::size_t j) {
    if (cap && (!kinks.offsets.empty() || !memory.units.empty())) {
      Unit<T> unit{.weights = weights.empty() ? nullptr : weights.data(),
                   .seen = memory.units.empty() ? nullptr : &memory.units[j],
                   .share = memory.share};
      if (!kinks.offsets.empty()) {
        unit.offset = kinks.offsets[j];
        unit.deviation = kinks.deviations[j];
      }
      backward_any_unit<A>(g[j], y[j], x[j], g.cols, divisor[j], unit);
    } else if (weights.empty()) {
      backward_unit<A>(g[j], cap, y[j], x[j], g.cols, divisor[j]);
    } else {
      backward_weighted_unit<A>(g[j], cap, y[j], x[j], weights.data(), g.cols, divisor[j]);
    }
  };
  for_units(activation, [&]<Activation A>() {
    for (std::size_t j = 0; j < g.rows; ++j) {
      if constexpr (A == Activation::relu || A == Activation::leaky_relu) {
        if (zero_learns && is_zero(y.row(j))) {
          backward.template operator()<Activation::identity>(j);
          continue;
        }
      }
      backward.template operator()<A>(j);
    }
  });
}

#define COPPICE_INSTANTIATE(T)                                                                            \
  template void capnorm_forward<simd::compiled>(View<T>, bool, Activation, View<T>, std::span<T>,         \
                                                std::span<T>, std::span<const float>, const Kinks<T>&,    \
                                                const Memory&);                                           \
  template void capnorm_apply<simd::compiled>(View<T>, Activation, View<T>, std::span<const T>,           \
                                              std::span<const T>);                                        \
  template void capnorm_backward<simd::compiled>(View<T>, bool, Activation, View<const T>, View<const T>, \
                                                 std::span<const T>, bool, std::span<const float>,        \
                                                 const Kinks<T>&, const Memory&);
COPPICE_INSTANTIATE(float)
COPPICE_INSTANTIATE(double)
#undef COPPICE_INSTANTIATE

}  // namespace coppice::loops
