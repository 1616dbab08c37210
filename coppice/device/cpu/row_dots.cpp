#include "coppice/device/cpu/loops.h"
#include "coppice/device/cpu/simd.h"
namespace coppice::loops {

namespace {

template <class T>
COPPICE_SIMD void dots_of_row(const T* w, const T* g, std::size_t n, RowDots& dots) {
  constexpr std::size_t lanes = 16;
  double gg[lanes] = {};
  double gw[lanes] = {};
  double ww[lanes] = {};
  std::size_t i = 0;
  const auto add = [&](std::size_t k, std::size_t at) {
    gg[k] += static_cast<double>(g[at]) * g[at];
    gw[k] += static_cast<double>(g[at]) * w[at];
    ww[k] += static_cast<double>(w[at]) * w[at];
  };
  for (; i + lanes <= n; i += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) add(k, i + k);
  }
  for (std::size_t k = 0; i < n; ++i, ++k) add(k, i);
  dots = {};
  for (std::size_t k = 0; k < lanes; ++k) {
    dots.gg += gg[k];
    dots.gw += gw[k];
    dots.ww += ww[k];
  }
}

template <class T>
COPPICE_SIMD void combine_row(T* w, const T* g, std::size_t n, T a, T b) {
  for (std::size_t i = 0; i < n; ++i) w[i] = a * w[i] + b * g[i];
}

}  // namespace

template <Arithmetic R, class T>
void row_dots(View<const T> w, View<const T> g, std::span<RowDots> dots) {
  simd::vectorised([&] {
    for (std::size_t j = 0; j < w.rows; ++j) dots_of_row(w[j], g[j], w.cols, dots[j]);
  });
}

template <Arithmetic R, class T>
void combine_rows(View<T> w, View<const T> g, std::span<const RowScale> scale) {
  simd::vectorised([&] {
    for (std::size_t j = 0; j < w.rows; ++j) {
      combine_row(w[j], g[j], w.cols, static_cast<T>(scale[j].a), static_cast<T>(scale[j].b));
    }
  });
}

template void row_dots<simd::compiled>(View<const float>, View<const float>, std::span<RowDots>);
template void row_dots<simd::compiled>(View<const double>, View<const double>, std::span<RowDots>);
template void combine_rows<simd::compiled>(View<float>, View<const float>, std::span<const RowScale>);
template void combine_rows<simd::compiled>(View<double>, View<const double>, std::span<const RowScale>);

}  // namespace coppice::loops
