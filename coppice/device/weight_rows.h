#pragma once

#include "coppice/core/matrix.h"

#include <span>

namespace coppice {

// What optimizers with numbers per weight do with units, one row each: a fan-in w, its gradient g, a running mean of
// gradients m, a running mean of squares s.

/// m = keep m + w_share w + g_share g for every row, summed up in double: the parts may cancel. squares[j] = m.m.
struct RowMix {
  double keep = 1;
  double w_share = 0;
  double g_share = 0;
};
template <class T>
void mix_rows(View<T> m, View<const T> w, View<const T> g, std::span<const RowMix> mix,
              std::span<double> squares);

/// w and m of every row at once: w = ww w + wm m, m = mw w + mm m.
struct RowTurn {
  double ww = 1;
  double wm = 0;
  double mw = 0;
  double mm = 1;
};
template <class T>
void turn_rows(View<T> w, View<T> m, std::span<const RowTurn> turn);

/// m = (1 - rate) m + rate g, then w = w - m_step m - g_step g.
struct MomentumStep {
  double rate = 0;
  double m_step = 0;
  double g_step = 0;
};
template <class T>
void momentum_rows(View<T> w, View<T> m, View<const T> g, const MomentumStep& step);

/// s = (1 - square_rate) s + square_rate g^2, m = (1 - mean_rate) m + mean_rate g, then for every row
/// w = w - step (m / mean_filled) / (sqrt(s / square_filled) + epsilon). Without m (an empty view) g takes its place.
struct AdamStep {
  double step = 0;
  double mean_rate = 1;
  double square_rate = 0;
  double epsilon = 0;
};
struct RowFilled {
  double mean = 1;
  double square = 1;
};
template <class T>
void adam_rows(View<T> w, View<T> m, View<T> s, View<const T> g, const AdamStep& step,
               std::span<const RowFilled> filled);

}  // namespace coppice
