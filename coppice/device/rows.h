#pragma once

#include "coppice/core/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice {

// What optimizers do with units, one row each: a fan-in w and its gradient g.

/// The processor begins to bring memory that is read soon: it does not guess where rows that are picked at random lie.
inline void fetch_ahead(const void* from, std::size_t bytes) {
  constexpr std::size_t line = 64;
  for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(static_cast<const char*>(from) + at);
}

/// to[i] = from[rows[i]].
template <class T>
void gather_rows(View<const float> from, std::span<const std::uint32_t> rows, View<T> to);

/// to[i] = (bytes[i] - offsets[i]) * factors[i], in double until the end.
void scale_bytes(const std::byte* bytes, const double* offsets, const double* factors, std::span<float> to);

struct RowDots {
  double gg = 0;
  double gw = 0;
  double ww = 0;
};

/// dots[j] = (g.g, g.w, w.w) of row j, accumulated in double.
template <class T>
void row_dots(View<const T> w, View<const T> g, std::span<RowDots> dots);

/// w = a w + b g for every row, with that row's two numbers.
struct RowScale {
  double a = 1;
  double b = 0;
};
template <class T>
void combine_rows(View<T> w, View<const T> g, std::span<const RowScale> scale);

/// lengths[j] = length of row j: of fan-ins, where w are a layer's weights.
template <class T>
void row_lengths(View<const T> w, std::span<double> lengths);

/// lengths[i] = length of column i: of fan-outs. Row j counts factors[j] times; no factors: once.
template <class T>
void column_lengths(View<const T> w, std::span<double> lengths, std::span<const double> factors = {});

}  // namespace coppice
