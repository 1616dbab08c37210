#pragma once

#include "coppice/analysis/measured_net.h"
#include "coppice/api/prepare.h"

#include <span>

namespace coppice {

/// A net of an ensemble: as a model of its own, and the rows that it did not learn from.
struct Member {
  const Model* model = nullptr;
  NetData data;
  bool plain = false;  ///< it takes no bins
};

/// The nets as one model, whose scores are theirs averaged. Each row is answered by the judge that did not learn from it, one
/// for each fold: that gives the errors and, for classes, the temperature, over all rows. On new rows the average does better
/// than nets do one by one.
MeasuredNet measure_ensemble(ThreadPool& pool, std::span<const Member> members,
                             std::span<const Member> judges, const PreparedData& data, Metric metric);

/// The judges as one model, calibrated and described as the ensemble is.
Model judging_model(std::span<const Member> judges, const PreparedData& data, const Model& ensemble);

}  // namespace coppice
