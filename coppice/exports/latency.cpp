#include "coppice/exports/latency.h"

#include "coppice/exports/cells.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace coppice {

double row_latency(const Model& model) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t fewest = 5;
  constexpr std::chrono::milliseconds enough(30);
  const Table row = trial_rows(lower(model), 1);
  std::vector<double> times;
  const Clock::time_point begin = Clock::now();
  for (Clock::time_point now = begin; times.size() < fewest || now - begin < enough;) {
    const Clock::time_point before = now;
    model.predict(row, {.threads = 1});
    now = Clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(now - before).count());
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

}  // namespace coppice
