#pragma once

#include "coppice/core/random.h"

#include <cstddef>
#include <cstdint>

namespace coppice {

/// Names the streams of the generators; a value is never reused for another generator.
enum class GeneratorKind : std::uint32_t {
  poker = 1,
  convex = 2,
  rectangles = 3,
  twonorm = 4,
  ringnorm = 5,
  waveform = 6,
  exclusive_or = 7,
  spirals = 8,
  parity = 9
};

/// The stream of one row of one generator.
inline Random row_random(std::uint64_t seed, GeneratorKind kind, std::size_t row) {
  return {seed, Purpose::generator, static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(row)};
}

/// Uniform in [low, high).
inline double between(Random& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

/// Uniform in {low, ..., high}.
inline int whole_between(Random& random, int low, int high) {
  const std::int64_t last = high - low;
  return low + static_cast<int>(random.below(static_cast<std::uint64_t>(last) + 1));
}

}  // namespace coppice
