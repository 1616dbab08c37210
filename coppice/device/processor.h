#pragma once

#include <string>

namespace coppice {

/// What the processor calls itself; "CPU" where the system does not tell.
std::string processor_name();

}  // namespace coppice
