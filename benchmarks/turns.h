#pragma once

#include "coppice/core/spread.h"

#include <functional>
#include <vector>

namespace coppice {

/// Seconds that one call takes.
double seconds(const std::function<void()>& call);

/// Times of several contestants that take turns, so that whatever else the machine does meets all alike.
/// Everyone has one turn before the clock runs.
class Turns {
 public:
  Turns(const std::vector<std::function<void()>>& contestants, std::size_t rounds);
  Spread time(std::size_t contestant) const { return spread_of(times_[contestant]); }
  /// Of one contestant's time to another's, round by round.
  Spread ratio(std::size_t a, std::size_t b) const;
  /// Of one contestant's time to the sum of its own and another's.
  Spread share(std::size_t a, std::size_t b) const;

 private:
  std::vector<std::vector<double>> times_;
};

}  // namespace coppice
