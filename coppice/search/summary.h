#pragma once

#include "coppice/data/encoding.h"
#include "coppice/search/options.h"
#include "coppice/search/ranking.h"

#include <cstddef>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// What a search came to.
struct SearchSummary {
  SearchKind kind = SearchKind::random;
  Task task = Task::classification;
  std::vector<TrialResult> results;   ///< every net
  std::vector<RankedSetting> ranked;  ///< best first
  std::optional<std::size_t> chosen;  ///< index of the best net; none if all diverged
  std::optional<TrialResult> model;   ///< what that came to when it was trained once more
};

/// What summary.json holds. It does not depend on time, threads or interruptions.
nlohmann::ordered_json search_summary_json(const SearchSummary& summary);

}  // namespace coppice
