#include "benchmarks/turns.h"

#include <chrono>

namespace coppice {

double seconds(const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Turns::Turns(const std::vector<std::function<void()>>& contestants, std::size_t rounds)
    : times_(contestants.size()) {
  for (const auto& contestant : contestants) contestant();
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) times_[i].push_back(seconds(contestants[i]));
  }
}

Spread Turns::ratio(std::size_t a, std::size_t b) const {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < times_[a].size(); ++r) ratios.push_back(times_[a][r] / times_[b][r]);
  return spread_of(ratios);
}

Spread Turns::share(std::size_t a, std::size_t b) const {
  std::vector<double> shares;
  for (std::size_t r = 0; r < times_[a].size(); ++r)
    shares.push_back(times_[a][r] / (times_[a][r] + times_[b][r]));
  return spread_of(shares);
}

}  // namespace coppice
