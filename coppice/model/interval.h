#pragma once

#include "coppice/model/model.h"
#include "coppice/model/predict.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coppice {

/// Which of the scores of Conformity the level that the options ask for takes, counted from 1; none if they ask for none.
/// Fails on a level that is none, and on a model that cannot tell.
std::optional<std::size_t> interval_rank(const ModelParts& model, const PredictOptions& options);

/// Where the answers to rows lie.
struct Intervals {
  std::vector<double> lower;  ///< numbers, in the target's own units
  std::vector<double> upper;
  std::vector<std::uint8_t>
      sets;  ///< classes, row by row: 1 for those in a row's set, always the most likely one
};

/// CV+. Each net is as wrong about a new row as it was about those that it did not learn from, and the rows of all nets are
/// counted. Numbers: as many as `rank` of the rows lie between the bounds, were they as far from the nets' answers as
/// their scores say. Classes: a class is in the set if it surprises the nets more than less than `rank` rows did, on average.
Intervals intervals_of(const ModelParts& model, const NetScores& nets, std::size_t rank);

}  // namespace coppice
