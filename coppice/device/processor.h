#pragma once

#include <string>

namespace coppice {

/// What the processor calls itself; "CPU" where the system does not tell.
std::string processor_name();

/// Which of the copies of our loops runs (device/cpu/simd.h): "x86-64-v4", "x86-64-v3" or "default".
std::string vector_level();

}  // namespace coppice
