#pragma once

#include <cstddef>

namespace coppice {

/// What a net does that no error decides about: rounds of so many epochs, each with a third of the step of the one before, the
/// first with a third of the net's own.
struct Course {
  std::size_t rounds = 0;  ///< 0: there is none, errors decide
  std::size_t epochs = 0;  ///< of each round

  bool given() const { return rounds > 0; }
  double length() const { return static_cast<double>(rounds * epochs); }
};

}  // namespace coppice
