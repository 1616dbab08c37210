#include "coppice/ranks/hand_out.h"

#include <algorithm>
#include <tuple>

namespace coppice {

std::vector<std::size_t> longest_first(const Training& training, std::vector<std::size_t> nets) {
  std::ranges::sort(nets, {}, [&](std::size_t net) {
    const NetRun& run = training.runs()[net];
    const bool shrinks = run.protocol.phase() != Phase::grow;
    return std::tuple(shrinks, run.lambda, net);
  });
  return nets;
}

std::vector<Seat> seats_of(const std::vector<std::size_t>& threads, std::size_t nets) {
  const std::size_t each = (nets + threads.size() - 1) / threads.size();
  std::vector<Seat> seats;
  for (const std::size_t count : threads) {
    const std::size_t at_once = std::clamp<std::size_t>(each, 1, count);
    seats.push_back({.nets = at_once, .threads = std::max<std::size_t>(1, count / at_once)});
  }
  return seats;
}

std::size_t freest(const std::vector<Seat>& seats, const std::vector<std::size_t>& taken) {
  std::size_t best = seats.size();
  std::size_t most = 0;
  for (std::size_t rank = seats.size(); rank-- > 0;) {
    const std::size_t free = seats[rank].nets - std::min(seats[rank].nets, taken[rank]);
    if (free > most) {
      best = rank;
      most = free;
    }
  }
  return best;
}

}  // namespace coppice
