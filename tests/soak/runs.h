#pragma once

#include <cstddef>

namespace coppice::soak {

/// Whether so many runs leave nothing behind.
bool library(std::size_t count);

}  // namespace coppice::soak
