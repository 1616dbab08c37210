#include "coppice/core/random.h"

#include "coppice/core/elementary.h"

#include <cmath>
#include <numbers>

namespace coppice {

Random::Random(std::uint64_t seed, Purpose purpose, std::uint32_t a, std::uint32_t b)
    : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
      counter_{{0, static_cast<std::uint32_t>(purpose), a, b}} {}

std::uint32_t Random::next() {
  if (used_ == 4) {
    block_ = r123::Philox4x32{}(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

double Random::uniform() {
  const std::uint64_t high = next();
  const std::uint64_t bits = (high << 32) | next();
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t high = next();
  const std::uint64_t bits = (high << 32) | next();
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * bound) >> 64);
}

double Random::normal() {
  const double radius = std::sqrt(-2.0 * elementary::log(1.0 - uniform()));
  return radius * elementary::cos(2.0 * std::numbers::pi * uniform());
}

std::size_t Random::poisson(double mean) {
  // Knuth's product of uniforms; means here are a few units per addition.
  const double limit = elementary::exp(-mean);
  std::size_t count = 0;
  for (double product = uniform(); product > limit; product *= uniform()) ++count;
  return count;
}

}  // namespace coppice
