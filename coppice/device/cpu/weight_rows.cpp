#include "coppice/device/cpu/loops.h"
#include "coppice/device/cpu/simd.h"

#include <cmath>

namespace coppice::loops {

namespace {

template <class T>
COPPICE_SIMD double mix_row(T* m, const T* w, const T* g, std::size_t n, double keep, double w_share,
                            double g_share) {
  for (std::size_t i = 0; i < n; ++i) m[i] = static_cast<T>(keep * m[i] + (w_share * w[i] + g_share * g[i]));
  return simd::sum<double>(n, [&](std::size_t i) { return static_cast<double>(m[i]) * m[i]; });
}

template <class T>
COPPICE_SIMD void turn_row(T* w, T* m, std::size_t n, T ww, T wm, T mw, T mm) {
  for (std::size_t i = 0; i < n; ++i) {
    const T old = w[i];
    w[i] = ww * old + wm * m[i];
    m[i] = mw * old + mm * m[i];
  }
}

template <class T>
COPPICE_SIMD void momentum_row(T* w, T* m, const T* g, std::size_t n, T rate, T m_step, T g_step) {
  const T keep = T(1) - rate;
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = keep * m[i] + rate * g[i];
    w[i] -= m_step * m[i] + g_step * g[i];
  }
}

template <class T>
COPPICE_SIMD void rmsprop_row(T* w, T* s, const T* g, std::size_t n, T step, T rate, T unfilled, T epsilon) {
  using std::sqrt;
  const T keep = T(1) - rate;
  for (std::size_t i = 0; i < n; ++i) {
    s[i] = keep * s[i] + rate * (g[i] * g[i]);
    w[i] -= step * g[i] / (sqrt(s[i] * unfilled) + epsilon);
  }
}

template <class T>
COPPICE_SIMD void adam_row(T* w, T* m, T* s, const T* g, std::size_t n, T step, T mean_rate, T square_rate,
                           T unfilled, T epsilon) {
  using std::sqrt;
  const T mean_keep = T(1) - mean_rate;
  const T square_keep = T(1) - square_rate;
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = mean_keep * m[i] + mean_rate * g[i];
    s[i] = square_keep * s[i] + square_rate * (g[i] * g[i]);
    w[i] -= step * m[i] / (sqrt(s[i] * unfilled) + epsilon);
  }
}

}  // namespace

template <Arithmetic R, class T>
void mix_rows(View<T> m, View<const T> w, View<const T> g, std::span<const RowMix> mix,
              std::span<double> squares) {
  simd::vectorised([&] {
    for (std::size_t j = 0; j < m.rows; ++j) {
      squares[j] = mix_row(m[j], w[j], g[j], m.cols, mix[j].keep, mix[j].w_share, mix[j].g_share);
    }
  });
}

template <Arithmetic R, class T>
void turn_rows(View<T> w, View<T> m, std::span<const RowTurn> turn) {
  simd::vectorised([&] {
    for (std::size_t j = 0; j < w.rows; ++j) {
      turn_row(w[j], m[j], w.cols, static_cast<T>(turn[j].ww), static_cast<T>(turn[j].wm),
               static_cast<T>(turn[j].mw), static_cast<T>(turn[j].mm));
    }
  });
}

template <Arithmetic R, class T>
void momentum_rows(View<T> w, View<T> m, View<const T> g, const MomentumStep& step) {
  simd::vectorised([&] {
    for (std::size_t j = 0; j < w.rows; ++j) {
      momentum_row(w[j], m[j], g[j], w.cols, static_cast<T>(step.rate), static_cast<T>(step.m_step),
                   static_cast<T>(step.g_step));
    }
  });
}

template <Arithmetic R, class T>
void adam_rows(View<T> w, View<T> m, View<T> s, View<const T> g, const AdamStep& step,
               std::span<const RowFilled> filled) {
  const auto square_rate = static_cast<T>(step.square_rate);
  const auto epsilon = static_cast<T>(step.epsilon);
  simd::vectorised([&] {
    for (std::size_t j = 0; j < w.rows; ++j) {
      const T unfilled = static_cast<T>(1 / filled[j].square);
      if (m.data == nullptr) {
        rmsprop_row(w[j], s[j], g[j], w.cols, static_cast<T>(step.step), square_rate, unfilled, epsilon);
      } else {
        adam_row(w[j], m[j], s[j], g[j], w.cols, static_cast<T>(step.step / filled[j].mean),
                 static_cast<T>(step.mean_rate), square_rate, unfilled, epsilon);
      }
    }
  });
}

#define COPPICE_INSTANTIATE(T)                                                                           \
  template void mix_rows<simd::compiled>(View<T>, View<const T>, View<const T>, std::span<const RowMix>, \
                                         std::span<double>);                                             \
  template void turn_rows<simd::compiled>(View<T>, View<T>, std::span<const RowTurn>);                   \
  template void momentum_rows<simd::compiled>(View<T>, View<T>, View<const T>, const MomentumStep&);     \
  template void adam_rows<simd::compiled>(View<T>, View<T>, View<T>, View<const T>, const AdamStep&,     \
                                          std::span<const RowFilled>);
COPPICE_INSTANTIATE(float)
COPPICE_INSTANTIATE(double)

}  // namespace coppice::loops
