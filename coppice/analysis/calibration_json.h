#pragma once

#include "coppice/analysis/metrics.h"
#include "coppice/core/matrix.h"

#include <nlohmann/json.hpp>

namespace coppice {

/// The part of analysis.json that tells whether probabilities are honest. `crossed`: the model's temperature was fitted on
/// these rows, so each half of them is judged with a temperature fitted on the other half.
nlohmann::ordered_json calibration_json(const Matrix<float>& scores, const KnownRows& known,
                                        double temperature, bool crossed);

}  // namespace coppice
