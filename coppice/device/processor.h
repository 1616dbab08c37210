#pragma once

#include <cstdint>
#include <string>

namespace coppice {

/// What the processor calls itself; "CPU" where the system does not tell.
std::string processor_name();

/// The vector registers that our loops may use: those that every processor of its kind has, of 256 bits, of 512 bits.
enum class Vectors : std::uint8_t { plain, avx2, avx512 };

/// What this processor has.
Vectors vectors_of_processor();

/// Which of the copies of our loops runs (device/cpu/simd.h): "x86-64-v4", "x86-64-v3" or "default".
std::string vector_level();

/// What portable arithmetic uses of it: all, unless a test says otherwise, to see that results do not depend on it.
Vectors portable_vectors();
void limit_portable_vectors(Vectors most);

}  // namespace coppice
