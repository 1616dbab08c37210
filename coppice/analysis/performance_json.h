#pragma once

#include "coppice/analysis/metrics.h"
#include "coppice/core/matrix.h"
#include "coppice/model/model.h"

#include <nlohmann/json.hpp>

namespace coppice {

/// The parts of analysis.json that tell how good answers are: metrics, per_class, curves and thresholds.
nlohmann::ordered_json performance_json(const Model& model, const Matrix<float>& scores,
                                        const KnownRows& known);

}  // namespace coppice
