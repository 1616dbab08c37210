#pragma once

#include <functional>
#include <string>

namespace coppice::cli {

/// Shows how much of a file is read, if that takes longer than a moment.
std::function<void(const std::string& path, double share)> reading_line();

}  // namespace coppice::cli
