#pragma once

namespace coppice::cli {

/// A file that a limit (ulimit -f) forbids to grow is an error that writing reports, not the end of the program.
void ignore_size_limit();

/// From now on the first SIGINT, SIGTERM or SIGHUP is only remembered; a second one ends the program at once. Nobody
/// reading what is said is no reason to end.
void catch_signals();

/// The signal that came, or 0.
int caught_signal();
bool is_interrupted();

}  // namespace coppice::cli
