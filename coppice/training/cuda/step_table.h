#pragma once

#include "coppice/device/cuda/grow.h"
#include "coppice/device/cuda/runtime.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coppice::cuda {

/// What differs from step to step of an epoch: per net, position and size of the batch (no rows: the net rests)
/// and the units to be born afterwards. Steps are launched in series of a fixed length; the GPU holds the
/// table of one series, filled anew before each launch.
class StepTable {
 public:
  StepTable(std::size_t nets, std::size_t series, std::size_t most_births);

  std::size_t series() const { return series_; }
  std::size_t most_births() const { return most_births_; }

  /// The next epoch: nothing happens in any of its steps yet.
  void begin(std::size_t steps);
  std::size_t launches() const { return launches_; }
  void set_batch(std::size_t step, std::size_t net, std::size_t first, std::size_t count);
  void add_birth(std::size_t step, std::size_t net, const NewUnit& birth);
  /// Whether units are born after each step of a launch.
  std::vector<bool> births_in(std::size_t launch) const;
  void upload(std::size_t launch, const Stream& stream) const;

  // In the GPU's memory, for step s of a series.
  const std::uint32_t* first(std::size_t s) const;
  const int* count(std::size_t s) const { return device_.data() + count_at(s); }
  const int* birth_count(std::size_t s) const { return device_.data() + birth_count_at(s); }
  const NewUnit* births(std::size_t s) const;
  const int* first_step() const { return device_.data() + words_ - 1; }

 private:
  std::size_t count_at(std::size_t s) const { return (series_ + s) * nets_; }
  std::size_t birth_count_at(std::size_t s) const { return (2 * series_ + s) * nets_; }
  std::size_t births_at(std::size_t s) const {
    return (3 * series_ + s * most_births_ * birth_words) * nets_;
  }
  static constexpr std::size_t birth_words = sizeof(NewUnit) / sizeof(int);
  int* host(std::size_t step) { return host_.data() + step / series_ * words_; }

  std::size_t nets_;
  std::size_t series_;
  std::size_t most_births_;
  std::size_t words_;
  std::size_t launches_ = 0;
  Pinned<int> host_;
  Array<int> device_;
};

}  // namespace coppice::cuda
