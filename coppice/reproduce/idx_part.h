#pragma once

#include <cstddef>
#include <string>

namespace coppice::reproduce {

/// The first `count` items of an idx file (all if it has fewer) as an idx file; packed files are unpacked.
std::string first_items(const std::string& path, std::size_t count);

}  // namespace coppice::reproduce
