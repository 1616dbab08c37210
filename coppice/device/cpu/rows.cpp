#include "coppice/device/rows.h"

#include "coppice/device/cpu/simd.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

COPPICE_SIMD void scale_all(const std::byte* bytes, const double* offsets, const double* factors, float* to,
                            std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    to[i] = static_cast<float>((std::to_integer<int>(bytes[i]) - offsets[i]) * factors[i]);
}

}  // namespace

template <class T>
void gather_rows(View<const float> from, std::span<const std::uint32_t> rows, View<T> to) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + 1 < rows.size()) fetch_ahead(from[rows[i + 1]], from.cols * sizeof(float));
    std::copy_n(from[rows[i]], from.cols, to[i]);
  }
}

void scale_bytes(const std::byte* bytes, const double* offsets, const double* factors, std::span<float> to) {
  scale_all(bytes, offsets, factors, to.data(), to.size());
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
template void row_lengths(View<const float>, std::span<double>);
template void row_lengths(View<const double>, std::span<double>);
template void column_lengths(View<const float>, std::span<double>, std::span<const double>);
template void column_lengths(View<const double>, std::span<double>, std::span<const double>);

}  // namespace coppice
