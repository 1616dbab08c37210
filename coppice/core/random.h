#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <Random123/philox.h>

namespace coppice {

/// What a stream of random numbers is for. Streams of different purposes never overlap; the numbers are part
/// of the reproducibility promise, so a value is never reused for something else.
enum class Purpose : std::uint32_t {
  initial_weights = 1,
  new_unit = 2,
  batch_order = 3,
  split = 4,
  growth_count = 5,
  generator = 6,
  permutation = 11,
  search = 12,
  made_rows = 13,
  kink = 14,
};

/// A counter-based stream (Philox 4x32-10), named by seed, purpose and two indices such as epoch and unit. It
/// needs no state beyond its name: resuming, threads and growth elsewhere cannot shift it.
class Random {
 public:
  Random(std::uint64_t seed, Purpose purpose, std::uint32_t a = 0, std::uint32_t b = 0);

  std::uint32_t next();
  /// Uniform in [0, 1).
  double uniform();
  /// Uniform in {0, ..., bound - 1}.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal.
  double normal();
  std::size_t poisson(double mean);

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  r123::Philox4x32::ctr_type block_{};
  unsigned used_ = 4;
};

}  // namespace coppice
