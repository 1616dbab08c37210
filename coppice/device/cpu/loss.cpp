#include "coppice/device/loss.h"

#include <cmath>

namespace coppice {

namespace {

/// Score of class k for sample i, base rate included.
template <class T>
T score_of(View<const T> scores, std::span<const T> offset, std::size_t k, std::size_t i) {
  return scores(k, i) + (offset.empty() ? T(0) : offset[k]);
}

template <class T>
std::size_t best_class(View<const T> scores, std::span<const T> offset, std::size_t i) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < scores.rows; ++k) {
    if (score_of(scores, offset, k, i) > score_of(scores, offset, best, i)) best = k;
  }
  return best;
}

}  // namespace

template <class T>
LossSum cross_entropy(View<const T> scores, std::span<const T> offset, std::span<const std::uint32_t> labels,
                      T scale, View<T> gradient) {
  LossSum sum;
  for (std::size_t i = 0; i < scores.cols; ++i) {
    const std::size_t label = labels[i];
    const std::size_t best = best_class(scores, offset, i);
    sum.wrong += best != label ? 1 : 0;
    const T top = score_of(scores, offset, best, i);
    T total = 0;
    for (std::size_t k = 0; k < scores.rows; ++k) total += std::exp(score_of(scores, offset, k, i) - top);
    if (label < scores.rows)
      sum.loss += static_cast<double>(std::log(total) + top - score_of(scores, offset, label, i));
    if (gradient.data == nullptr) continue;
    const T factor = label < scores.rows ? scale : T(0);
    for (std::size_t k = 0; k < scores.rows; ++k) {
      const T probability = std::exp(score_of(scores, offset, k, i) - top) / total;
      gradient(k, i) = factor * (probability - (k == label ? T(1) : T(0)));
    }
  }
  return sum;
}

template <class T>
LossSum squared_error(View<const T> scores, std::span<const float> targets, T scale, View<T> gradient) {
  LossSum sum;
  for (std::size_t i = 0; i < scores.cols; ++i) {
    const T difference = scores(0, i) - static_cast<T>(targets[i]);
    sum.loss += static_cast<double>(difference * difference);
    if (gradient.data != nullptr) gradient(0, i) = scale * T(2) * difference;
  }
  return sum;
}

template LossSum cross_entropy(View<const float>, std::span<const float>, std::span<const std::uint32_t>,
                               float, View<float>);
template LossSum cross_entropy(View<const double>, std::span<const double>, std::span<const std::uint32_t>,
                               double, View<double>);
template LossSum squared_error(View<const float>, std::span<const float>, float, View<float>);
template LossSum squared_error(View<const double>, std::span<const float>, double, View<double>);

}  // namespace coppice
