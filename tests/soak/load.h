#pragma once

namespace coppice::soak {

/// Whether all answers are right and nothing waits forever.
bool load(int seconds);

}  // namespace coppice::soak
