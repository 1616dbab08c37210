#pragma once

#include "coppice/search/search.h"

#include <nlohmann/json.hpp>

namespace coppice {

/// What summary.json of a search holds. It does not depend on time, threads or interruptions.
nlohmann::ordered_json search_summary_json(const SearchResult& summary);

}  // namespace coppice
