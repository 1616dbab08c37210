#include "coppice/device/rows.h"

#include "coppice/device/cpu/simd.h"

#include <algorithm>
#include <cmath>

namespace coppice {

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

template <class T>
void gather_rows(View<const float> from, std::span<const std::uint32_t> rows, View<T> to) {
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(from[rows[i]], from.cols, to[i]);
}

template <class T>
void row_dots(View<const T> w, View<const T> g, std::span<RowDots> dots) {
  for (std::size_t j = 0; j < w.rows; ++j) dots_of_row(w[j], g[j], w.cols, dots[j]);
}

template <class T>
void combine_rows(View<T> w, View<const T> g, std::span<const RowScale> scale) {
  for (std::size_t j = 0; j < w.rows; ++j) {
    combine_row(w[j], g[j], w.cols, static_cast<T>(scale[j].a), static_cast<T>(scale[j].b));
  }
}

template <class T>
void row_lengths(View<const T> w, std::span<double> lengths) {
  for (std::size_t j = 0; j < w.rows; ++j) {
    const T* row = w[j];
    lengths[j] = std::sqrt(
        simd::sum<double>(w.cols, [&](std::size_t i) { return static_cast<double>(row[i]) * row[i]; }));
  }
}

template <class T>
void column_lengths(View<const T> w, std::span<double> lengths, std::span<const double> factors) {
  std::ranges::fill(lengths, 0.0);
  for (std::size_t j = 0; j < w.rows; ++j) {
    const double factor = factors.empty() ? 1 : factors[j];
    for (std::size_t i = 0; i < w.cols; ++i) {
      const double value = static_cast<double>(w(j, i)) * factor;
      lengths[i] += value * value;
    }
  }
  for (double& length : lengths) length = std::sqrt(length);
}

template void gather_rows(View<const float>, std::span<const std::uint32_t>, View<float>);
template void gather_rows(View<const float>, std::span<const std::uint32_t>, View<double>);
template void row_dots(View<const float>, View<const float>, std::span<RowDots>);
template void row_dots(View<const double>, View<const double>, std::span<RowDots>);
template void combine_rows(View<float>, View<const float>, std::span<const RowScale>);
template void combine_rows(View<double>, View<const double>, std::span<const RowScale>);
template void row_lengths(View<const float>, std::span<double>);
template void row_lengths(View<const double>, std::span<double>);
template void column_lengths(View<const float>, std::span<double>, std::span<const double>);
template void column_lengths(View<const double>, std::span<double>, std::span<const double>);

}  // namespace coppice
