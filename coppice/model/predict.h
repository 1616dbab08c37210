#pragma once

#include "coppice/core/matrix.h"
#include "coppice/data/dataset.h"
#include "coppice/device/gpu.h"
#include "coppice/device/threads.h"
#include "coppice/model/model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// Folds normalisations into plain dense layers: y = (w/m).x - mu/m, and a y + b where they have free parameters.
/// The result has none of those, its divisors are all 1 and its means -bias.
void fold(Network<float>& network, Statistics<float>& statistics);

/// Scores of the given rows of encoded data, one row each: class scores with the base rate added, or the
/// standardised value.
Matrix<float> predict_scores(ThreadPool& pool, const Model& model, const Dataset& data,
                             std::span<const std::uint32_t> rows, Device device = Device::cpu);

/// The same for all rows.
Matrix<float> predict_scores(ThreadPool& pool, const Model& model, const Dataset& data,
                             Device device = Device::cpu);

/// Index of the largest score; ties go to the class that comes first.
std::size_t best_class(std::span<const float> scores);

/// softmax(scores / temperature).
std::vector<double> probabilities(std::span<const float> scores, double temperature);

}  // namespace coppice
