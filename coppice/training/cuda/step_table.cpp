#include "coppice/training/cuda/step_table.h"

#include <algorithm>
#include <cstring>

namespace coppice::cuda {

StepTable::StepTable(std::size_t nets, std::size_t series, std::size_t most_births)
    : nets_(nets),
      series_(series),
      most_births_(most_births),
      words_(nets * series * (3 + birth_words * most_births) + 1),
      device_(words_) {
  static_assert(sizeof(NewUnit) % sizeof(int) == 0);
}

void StepTable::begin(std::size_t steps) {
  launches_ = (steps + series_ - 1) / series_;
  if (host_.size() < launches_ * words_) host_ = Pinned<int>(launches_ * words_);
  std::fill_n(host_.data(), launches_ * words_, 0);
  for (std::size_t i = 0; i < launches_; ++i) host_[(i + 1) * words_ - 1] = static_cast<int>(i * series_);
}

void StepTable::set_batch(std::size_t step, std::size_t net, std::size_t first, std::size_t count) {
  const std::size_t s = step % series_;
  host(step)[s * nets_ + net] = static_cast<int>(static_cast<std::uint32_t>(first));
  host(step)[count_at(s) + net] = static_cast<int>(count);
}

void StepTable::add_birth(std::size_t step, std::size_t net, const NewUnit& birth) {
  const std::size_t s = step % series_;
  int& count = host(step)[birth_count_at(s) + net];
  int* to = host(step) + births_at(s) + (net * most_births_ + static_cast<std::size_t>(count)) * birth_words;
  std::memcpy(to, &birth, sizeof birth);
  ++count;
}

std::vector<bool> StepTable::births_in(std::size_t launch) const {
  std::vector<bool> any(series_);
  for (std::size_t s = 0; s < series_; ++s) {
    const int* counts = host_.data() + launch * words_ + birth_count_at(s);
    any[s] = std::any_of(counts, counts + nets_, [](int count) { return count > 0; });
  }
  return any;
}

void StepTable::upload(std::size_t launch, const Stream& stream) const {
  copy(device_.data(), host_.data() + launch * words_, device_.bytes(), stream);
}

const std::uint32_t* StepTable::first(std::size_t s) const {
  return reinterpret_cast<const std::uint32_t*>(device_.data() + s * nets_);
}

const NewUnit* StepTable::births(std::size_t s) const {
  return reinterpret_cast<const NewUnit*>(device_.data() + births_at(s));
}

}  // namespace coppice::cuda
