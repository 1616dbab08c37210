#include "coppice/ranks/hand_out.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace coppice {

std::vector<std::size_t> longest_first(const Training& training, std::vector<std::size_t> nets) {
  std::ranges::sort(nets, {}, [&](std::size_t net) {
    const NetRun& run = training.runs()[net];
    const bool shrinks = run.protocol.phase() != Phase::grow;
    return std::tuple(shrinks, run.lambda, net);
  });
  return nets;
}

std::vector<std::size_t> longest_first(std::span<const Trial> trials, std::size_t inputs) {
  const auto weights = [&](std::size_t i) {
    std::size_t below = inputs;
    std::size_t sum = 0;
    for (const std::size_t units : trials[i].hidden) sum += units * std::exchange(below, units);
    return sum;
  };
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), weights);
  return order;
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

std::vector<Seat> gpu_seats_of(const std::vector<std::size_t>& threads, std::size_t nets) {
  const std::size_t each = (nets + threads.size() - 1) / threads.size();
  std::vector<Seat> seats;
  for (const std::size_t count : threads) seats.push_back({.nets = each, .threads = count});
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

std::map<std::size_t, std::vector<std::size_t>> HandOut::give() {
  std::map<std::size_t, std::vector<std::size_t>> given;
  while (next_ < queue_.size()) {
    const std::size_t rank = freest(seats_, taken_);
    if (rank == seats_.size()) break;
    const std::size_t net = queue_[next_++];
    rank_of_[net] = rank;
    ++taken_[rank];
    given[rank].push_back(net);
  }
  return given;
}

void HandOut::ended(std::size_t net) {
  --taken_[rank_of_.at(net)];
  rank_of_.erase(net);
}

}  // namespace coppice
