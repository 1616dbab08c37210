#pragma once

#include <cstddef>

namespace coppice {

/// How many of the threads work on so many cells is worth: few are done before a thread has begun.
inline std::size_t worth_threads(std::size_t cells, std::size_t threads) {
  constexpr std::size_t many_cells = 1'000'000;
  return cells < many_cells ? 1 : threads;
}

}  // namespace coppice
