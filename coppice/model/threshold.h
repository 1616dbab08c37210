#pragma once

#include "coppice/core/matrix.h"
#include "coppice/model/model.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coppice {

/// Which of two classes is answered where its probability is at least so much; elsewhere it is the other one.
struct Threshold {
  std::size_t positive = 1;
  double least = 0.5;
};

/// What the options ask for, none if nothing. Fails unless there are two classes, on a number outside 0 to 1, and on a
/// class that is neither.
std::optional<Threshold> threshold_of(const std::vector<std::string>& classes, const PredictOptions& options);

/// The class of every row of scores: the most likely one, or by the threshold.
std::vector<std::uint32_t> answered(const Matrix<float>& scores, double temperature,
                                    const std::optional<Threshold>& threshold);

}  // namespace coppice
