#pragma once

#include <string>

namespace coppice {

/// Why the last call of the system failed, by errno, and what to do about it where that is known.
std::string system_reason();

}  // namespace coppice
