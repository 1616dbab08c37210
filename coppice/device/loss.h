#pragma once

#include "coppice/core/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice {

/// What a loss adds up over the samples it saw, each by its weight.
struct LossSum {
  double loss = 0;
  double wrong = 0;  ///< samples whose largest score is not the label's (classification)

  LossSum& operator+=(const LossSum& other) {
    loss += other.loss;
    wrong += other.wrong;
    return *this;
  }
};

/// Softmax cross-entropy. Scores: one row per class, one column per sample; offset (one per class) is added
/// to them. gradient (may be empty) receives scale * d loss / d score. A label outside the classes counts as
/// wrong, without loss. Ties go to the class that comes first. weights: one per sample; empty: all are 1. smoothing: the
/// target is (1 - smoothing) of the label's class and smoothing of all classes alike.
template <class T>
LossSum cross_entropy(View<const T> scores, std::span<const T> offset, std::span<const std::uint32_t> labels,
                      T scale, View<T> gradient, std::span<const float> weights = {}, T smoothing = 0);

/// sum of (score - target)^2, scores in one row.
template <class T>
LossSum squared_error(View<const T> scores, std::span<const float> targets, T scale, View<T> gradient,
                      std::span<const float> weights = {});

}  // namespace coppice
