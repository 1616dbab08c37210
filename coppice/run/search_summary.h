#pragma once

#include "coppice/search/search.h"

#include <optional>

#include <nlohmann/json.hpp>

namespace coppice {

/// A line of results.jsonl; numbers come back exactly. What is not finite is null.
nlohmann::ordered_json trial_json(const TrialResult& result);
/// Nothing if it is none.
std::optional<TrialResult> parse_trial(const nlohmann::json& line);

/// What summary.json of a search holds. It does not depend on time, threads or interruptions.
nlohmann::ordered_json search_summary_json(const SearchResult& summary);

}  // namespace coppice
