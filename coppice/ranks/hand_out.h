#pragma once

#include "coppice/api/training.h"

#include <cstddef>
#include <vector>

// Which net goes to which rank. Nets come out the same wherever they are trained: this is about time alone.
namespace coppice {

/// The nets in the order in which they are handed out: first those that are expected to take longest, so that no rank trains
/// a long one while all others have nothing left. Small lambdas make large nets; a net that only shrinks is done soon.
std::vector<std::size_t> longest_first(const Training& training, std::vector<std::size_t> nets);

/// A rank's share of the work of a round.
struct Seat {
  std::size_t nets = 1;     ///< at a time
  std::size_t threads = 1;  ///< of each
};
/// Few nets get several threads each, many get one.
std::vector<Seat> seats_of(const std::vector<std::size_t>& threads, std::size_t nets);

/// The rank that has most free places for nets; of several the last, since rank 0 also writes what all others tell. As
/// many as there are ranks if none is free.
std::size_t freest(const std::vector<Seat>& seats, const std::vector<std::size_t>& taken);

}  // namespace coppice
