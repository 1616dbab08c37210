#pragma once

#include <cstddef>

// The kernels are compiled for several processors and the best is chosen when the program starts, so that one
// binary runs everywhere. Sanitizers can't follow that choice, clang-tidy's parser does not know it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(COPPICE_SANITIZED)
#define COPPICE_SIMD __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define COPPICE_SIMD
#endif

namespace coppice::simd {

/// Sums f(i) over [0, n) in `Lanes` interleaved partial sums that the compiler keeps in vector registers; the
/// order of additions is fixed by n alone.
template <class Sum, std::size_t Lanes = 16, class F>
[[gnu::always_inline]] inline Sum sum(std::size_t n, const F& f) {
  Sum lane[Lanes] = {};
  std::size_t i = 0;
  for (; i + Lanes <= n; i += Lanes) {
    for (std::size_t k = 0; k < Lanes; ++k) lane[k] += static_cast<Sum>(f(i + k));
  }
  for (std::size_t k = 0; i < n; ++i, ++k) lane[k] += static_cast<Sum>(f(i));
  Sum total = 0;
  for (std::size_t k = 0; k < Lanes; ++k) total += lane[k];
  return total;
}

}  // namespace coppice::simd
