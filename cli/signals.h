#pragma once

namespace coppice::cli {

/// From now on the first SIGINT or SIGTERM is only remembered; a second one ends the program at once.
void catch_signals();

/// The signal that came, or 0.
int caught_signal();
bool is_interrupted();

}  // namespace coppice::cli
