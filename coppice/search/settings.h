#pragma once

#include "coppice/api/settings.h"
#include "coppice/core/names.h"
#include "coppice/search/space.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

template <>
inline constexpr std::array<std::string_view, 2> names_of<SearchKind>{"grid", "random"};

/// The settings of a search of that kind.
const std::vector<Setting<SearchSpace>>& search_settings(SearchKind kind);

/// Why a search does not take this setting of train's, as a sentence; empty if it does for all of its trials.
std::string why_not_shared(const std::string& setting);

/// Fails on what makes no sense, before anything is read.
void check_search(const SearchSpace& space, const Options& options);

}  // namespace coppice
