#pragma once

#include "cli/terminal/styled.h"
#include "cli/terminal/watch_state.h"

#include <cstddef>
#include <string>
#include <vector>

namespace coppice::cli {

/// How a run is to be shown.
struct WatchLook {
  std::size_t width = 100;
  std::size_t height = 0;  ///< lines at most; 0: as many as there are nets
  double silence = 0;      ///< seconds since the journal last grew
  bool keys = false;       ///< say which key ends it
};

/// A run as lines for the terminal, none wider than the look: a heading, one line per net with curves of its
/// error and size, as many columns as fit; of a finished run its final table.
std::vector<StyledLine> watch_lines(const WatchState& state, const std::string& run, const WatchLook& look);

}  // namespace coppice::cli
