#include "coppice/device/cpu/loops.h"
#include "coppice/device/cpu/simd.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace coppice::loops {

namespace {

/// Samples looked at together, class by class: enough for vector registers, few enough for the first cache.
constexpr std::size_t strip = 64;

template <class T>
using Strip = std::array<T, strip>;

/// Largest score of every sample, base rate included, and its class; ties go to the class that comes first.
template <class T>
COPPICE_SIMD void best_of_strip(const View<const T>& scores, const T* offset, std::size_t first,
                                std::size_t count, Strip<T>& top, Strip<std::uint32_t>& best) {
  for (std::size_t k = 0; k < scores.rows; ++k) {
    const T* row = scores[k] + first;
    const T base = offset != nullptr ? offset[k] : T(0);
    for (std::size_t i = 0; i < count; ++i) {
      const T score = row[i] + base;
      const bool better = k == 0 || score > top[i];
      top[i] = better ? score : top[i];
      best[i] = better ? static_cast<std::uint32_t>(k) : best[i];
    }
  }
}

/// total = sum over classes of e = exp(score - top); keeps e where it is wanted.
template <class T>
COPPICE_SIMD void exponents_of_strip(const View<const T>& scores, const T* offset, std::size_t first,
                                     std::size_t count, const Strip<T>& top, Strip<T>& total,
                                     const View<T>& keep) {
  std::fill_n(total.data(), count, T(0));
  Strip<T> e;
  for (std::size_t k = 0; k < scores.rows; ++k) {
    const T* row = scores[k] + first;
    const T base = offset != nullptr ? offset[k] : T(0);
    for (std::size_t i = 0; i < count; ++i) e[i] = simd::exp_negative(row[i] + base - top[i]);
    for (std::size_t i = 0; i < count; ++i) total[i] += e[i];
    if (keep.data != nullptr) std::copy_n(e.data(), count, keep[k] + first);
  }
}

/// gradient = factor (e / total - 1 for the label's class).
template <class T>
COPPICE_SIMD void gradient_of_strip(const View<T>& gradient, std::size_t first, std::size_t count,
                                    const Strip<T>& factor, const Strip<T>& total) {
  for (std::size_t k = 0; k < gradient.rows; ++k) {
    T* row = gradient[k] + first;
    for (std::size_t i = 0; i < count; ++i) row[i] *= factor[i] / total[i];
  }
}

/// How much the loss of a sample grows when its label is smoothed, and what that does to the gradient: a share of the
/// target goes from the label's class to all of them.
template <class T>
double smooth_label(const View<const T>& scores, const T* offset, std::size_t sample, std::size_t label,
                    T smoothing, T factor, const View<T>& gradient) {
  const auto classes = static_cast<T>(scores.rows);
  const auto score = [&](std::size_t k) {
    return scores(k, sample) + (offset != nullptr ? offset[k] : T(0));
  };
  T sum = 0;
  for (std::size_t k = 0; k < scores.rows; ++k) sum += score(k);
  if (gradient.data != nullptr) {
    for (std::size_t k = 0; k < scores.rows; ++k) gradient(k, sample) -= factor * smoothing / classes;
    gradient(label, sample) += factor * smoothing;
  }
  return static_cast<double>(smoothing * (score(label) - sum / classes));
}

}  // namespace

template <Arithmetic R, class T>
LossSum cross_entropy(View<const T> scores, std::span<const T> offset, std::span<const std::uint32_t> labels,
                      T scale, View<T> gradient, std::span<const float> weights, T smoothing) {
  LossSum sum;
  const T* base = offset.empty() ? nullptr : offset.data();
  Strip<T> top;
  Strip<std::uint32_t> best;
  Strip<T> total;
  Strip<T> factor;
  for (std::size_t first = 0; first < scores.cols; first += strip) {
    const std::size_t count = std::min(strip, scores.cols - first);
    simd::vectorised([&] {
      best_of_strip(scores, base, first, count, top, best);
      exponents_of_strip(scores, base, first, count, top, total, gradient);
    });
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t label = labels[first + i];
      const bool known = label < scores.rows;
      const double weight = weights.empty() ? 1.0 : weights[first + i];
      sum.wrong += best[i] != label ? weight : 0.0;
      factor[i] = known ? scale * static_cast<T>(weight) : T(0);
      if (!known) continue;
      const T score = scores(label, first + i) + (base != nullptr ? base[label] : T(0));
      sum.loss += weight * static_cast<double>(simd::log(total[i]) + top[i] - score);
    }
    if (gradient.data != nullptr) {
      simd::vectorised([&] { gradient_of_strip(gradient, first, count, factor, total); });
      for (std::size_t i = 0; i < count; ++i) {
        if (factor[i] != T(0)) gradient(labels[first + i], first + i) -= factor[i];
      }
    }
    if (smoothing == T(0)) continue;
    for (std::size_t i = first; i < first + count; ++i) {
      if (labels[i] >= scores.rows) continue;
      const double weight = weights.empty() ? 1.0 : weights[i];
      sum.loss += weight * smooth_label(scores, base, i, labels[i], smoothing, factor[i - first], gradient);
    }
  }
  return sum;
}

#define COPPICE_INSTANTIATE(T)                                                               \
  template LossSum cross_entropy<simd::compiled>(View<const T>, std::span<const T>,          \
                                                 std::span<const std::uint32_t>, T, View<T>, \
                                                 std::span<const float>, T);
COPPICE_INSTANTIATE(float)
COPPICE_INSTANTIATE(double)
#undef COPPICE_INSTANTIATE

}  // namespace coppice::loops
