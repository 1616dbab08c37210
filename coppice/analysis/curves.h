#pragma once

#include "coppice/analysis/metrics.h"
#include "coppice/core/matrix.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace coppice {

/// A class against the others, at every probability that some row gives it.
struct FullCurve {
  double auc = 0;
  std::vector<CurvePoint>
      points;  ///< from high thresholds to low; none where all rows are of the class, or none
  // The highest threshold that is best; between two probabilities where rows allow it.
  std::optional<BestThreshold> best_f1;
  std::optional<BestThreshold> best_balanced_error;
};

/// Rows of classes that training never saw are among the others.
FullCurve curve_of(const Matrix<float>& scores, const KnownRows& known, std::size_t of, double temperature);

/// At most so many of the points, the first and the last among them.
std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points, std::size_t most = 200);

}  // namespace coppice
