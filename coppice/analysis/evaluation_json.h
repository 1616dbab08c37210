#pragma once

#include "coppice/analysis/metrics.h"

#include <nlohmann/json.hpp>

namespace coppice {

/// What an evaluation says beside rows, error and confusion: log-loss, areas, each class, thresholds and curves of classes;
/// deviations of numbers; intervals if they were asked for. What is not defined is null.
nlohmann::ordered_json metrics_json(const Evaluation& evaluation);

}  // namespace coppice
