#pragma once

#include "coppice/core/matrix.h"
#include "coppice/model/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace coppice {

/// How far an interval of the level that the options ask for reaches, as a score of Conformity; none if they ask for none.
/// Fails on a level that is none, and on a model that cannot tell.
std::optional<double> reach_of(const ModelParts& model, const PredictOptions& options);

/// Where the answers to rows lie, as the level asks for.
struct Intervals {
  std::vector<double> lower;  ///< numbers, in the target's own units
  std::vector<double> upper;
  std::vector<std::uint8_t>
      sets;  ///< classes, row by row: 1 for those that a row's set has, the most likely one always
};

/// One row of scores each.
Intervals intervals_of(const ModelParts& model, const Matrix<float>& scores, double reach);

}  // namespace coppice
