#pragma once

#include "coppice/run/settings.h"
#include "coppice/search/space.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

enum class SearchKind : std::uint8_t {
  grid,    ///< every combination
  random,  ///< so many of them, drawn at random
};
template <>
constexpr std::array<std::string_view, 2> names_of<SearchKind>{"grid", "random"};

/// Everything a user can say about a search.
struct SearchOptions {
  SearchKind kind = SearchKind::random;
  SearchSpace space;
  std::size_t trials = 50;  ///< of a random search
  std::size_t reruns = 1;   ///< seeds that the best settings are trained with in the end
  std::size_t top = 10;     ///< how many settings are those
  RunOptions run = [] {     ///< what all trials share
    RunOptions options;
    options.effort = Effort::paper;
    return options;
  }();
};

/// The settings of the search itself, bound to `options`, which must outlive them.
std::vector<Setting> search_settings_of(SearchOptions& options);

/// Those of train's settings that a search takes for all of its trials.
std::vector<Setting> shared_settings_of(RunOptions& options);

/// Why a search does not take this setting of train's, as a sentence; empty if it does.
std::string why_not_shared(const std::string& setting);

/// Fails on options that make no sense together, before anything is read.
void check_search(const SearchOptions& options);

}  // namespace coppice
