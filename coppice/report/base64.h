#pragma once

#include <span>
#include <string>

namespace coppice {

/// The numbers as little-endian float32, in base64.
std::string base64(std::span<const float> numbers);

}  // namespace coppice
