#pragma once

#include "coppice/search/trial.h"

#include <optional>

#include <nlohmann/json.hpp>

namespace coppice {

/// A line of results.jsonl; numbers come back exactly. What is not finite is null.
nlohmann::ordered_json trial_json(const TrialResult& result);
/// Nothing if it is none.
std::optional<TrialResult> parse_trial(const nlohmann::json& line);

}  // namespace coppice
