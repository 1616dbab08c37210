#include "coppice/device/loss.h"

namespace coppice {

template <class T>
LossSum squared_error(View<const T> scores, std::span<const float> targets, T scale, View<T> gradient,
                      std::span<const float> weights) {
  LossSum sum;
  for (std::size_t i = 0; i < scores.cols; ++i) {
    const T difference = scores(0, i) - static_cast<T>(targets[i]);
    const double weight = weights.empty() ? 1.0 : weights[i];
    sum.loss += weight * static_cast<double>(difference * difference);
    if (gradient.data != nullptr) gradient(0, i) = scale * static_cast<T>(weight) * T(2) * difference;
  }
  return sum;
}

template LossSum squared_error(View<const float>, std::span<const float>, float, View<float>,
                               std::span<const float>);
template LossSum squared_error(View<const double>, std::span<const float>, double, View<double>,
                               std::span<const float>);

}  // namespace coppice
