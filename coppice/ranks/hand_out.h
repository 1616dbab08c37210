#pragma once

#include "coppice/api/training.h"
#include "coppice/search/trial.h"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

// Which net goes to which rank. Nets come out the same wherever they are trained: this is about time alone.
namespace coppice {

/// The nets in the order in which they are handed out: first those that are expected to take longest, so that no rank trains
/// a long one while all others have nothing left. Small lambdas make large nets; a net that only shrinks is done soon.
std::vector<std::size_t> longest_first(const Training& training, std::vector<std::size_t> nets);
/// The same of trials, by their indices: a net of fixed size takes the longer the more weights it has.
std::vector<std::size_t> longest_first(std::span<const Trial> trials, std::size_t inputs);

/// A rank's share of the work of a round.
struct Seat {
  std::size_t nets = 1;     ///< at a time
  std::size_t threads = 1;  ///< of each
};
/// Few nets get several threads each, many get one.
std::vector<Seat> seats_of(const std::vector<std::size_t>& threads, std::size_t nets);
/// On GPUs: a rank takes its share at once, since nets that take their steps together cost least.
std::vector<Seat> gpu_seats_of(const std::vector<std::size_t>& threads, std::size_t nets);

/// The rank that has most free places for nets; of several the last, since rank 0 also writes what all others tell. As
/// many as there are ranks if none is free.
std::size_t freest(const std::vector<Seat>& seats, const std::vector<std::size_t>& taken);

/// A round being handed out, from the first net to the last that ended.
class HandOut {
 public:
  HandOut(std::vector<std::size_t> queue, std::vector<Seat> seats)
      : queue_(std::move(queue)), seats_(std::move(seats)), taken_(seats_.size()) {}

  /// Nets for those who have free places now, by rank.
  std::map<std::size_t, std::vector<std::size_t>> give();
  void ended(std::size_t net);
  /// Nobody trains anything.
  bool idle() const { return rank_of_.empty(); }
  std::size_t ranks() const { return seats_.size(); }
  std::size_t threads(std::size_t rank) const { return seats_[rank].threads; }

 private:
  std::vector<std::size_t> queue_;
  std::size_t next_ = 0;  ///< of the queue
  std::vector<Seat> seats_;
  std::vector<std::size_t> taken_;              ///< places, of each rank
  std::map<std::size_t, std::size_t> rank_of_;  ///< nets that are being trained
};

}  // namespace coppice
