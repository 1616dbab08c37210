#pragma once

#include "coppice/core/arithmetic.h"
#include "coppice/core/elementary.h"
#include "coppice/device/processor.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

// The sources of our loops are compiled twice (device/CMakeLists.txt). Native: every loop for several processors, with multiplications
// and additions fused where they can be; the best copy is chosen when the program starts, so that one binary runs everywhere.
// Portable (COPPICE_PORTABLE_LOOPS): nothing is fused that is not written so, and then the width of vectors changes no bit; vectorised()
// chooses it, when a loop is called. Sanitizers can't follow the first choice, clang-tidy's parser does not know it.
#if defined(COPPICE_PORTABLE_LOOPS)
#define COPPICE_SIMD [[gnu::always_inline]] inline
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(COPPICE_SANITIZED)
#define COPPICE_SIMD __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define COPPICE_SIMD
#endif

namespace coppice::simd {

namespace {

// Of the source that includes this, so different things in different sources.
#if defined(COPPICE_PORTABLE_LOOPS)

constexpr Arithmetic compiled = Arithmetic::portable;

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define COPPICE_CHOOSES_VECTORS
template <class F>
[[gnu::target("arch=x86-64-v4"), gnu::flatten, gnu::noinline]] void with_avx512(const F& f) {
  f();
}
template <class F>
[[gnu::target("arch=x86-64-v3"), gnu::flatten, gnu::noinline]] void with_avx2(const F& f) {
  f();
}
#endif

/// Calls f, compiled for the vectors of this processor.
template <class F>
void vectorised(const F& f) {
#if defined(COPPICE_CHOOSES_VECTORS)
  const Vectors vectors = portable_vectors();
  if (vectors == Vectors::avx512) return with_avx512(f);
  if (vectors == Vectors::avx2) return with_avx2(f);
#endif
  f();
}

#else

constexpr Arithmetic compiled = Arithmetic::native;

template <class F>
void vectorised(const F& f) {
  f();
}

#endif

template <class T>
T log(T x) {
  if constexpr (compiled == Arithmetic::portable)
    return static_cast<T>(portable::log(static_cast<double>(x)));
  return std::log(x);
}

}  // namespace

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

/// Mean and mean square deviation of n numbers.
template <class T>
struct Moments {
  T mean = 0;
  T variance = 0;
};
template <class T>
[[gnu::always_inline]] inline Moments<T> moments(const T* z, std::size_t n) {
  const T count = static_cast<T>(n);
  const T mean = sum<T>(n, [&](std::size_t i) { return z[i]; }) / count;
  return {mean, sum<T>(n, [&](std::size_t i) { return (z[i] - mean) * (z[i] - mean); }) / count};
}

/// The same where sample i counts w[i] times.
template <class T>
[[gnu::always_inline]] inline Moments<T> moments(const T* z, const float* w, std::size_t n) {
  const T count = sum<T>(n, [&](std::size_t i) { return static_cast<T>(w[i]); });
  const T mean = sum<T>(n, [&](std::size_t i) { return static_cast<T>(w[i]) * z[i]; }) / count;
  return {mean, sum<T>(n, [&](std::size_t i) {
                  return static_cast<T>(w[i]) * (z[i] - mean) * (z[i] - mean);
                }) / count};
}

/// exp(x) for x <= 0, in float to two units in the last place, written so that loops over it become vector
/// code. Below -87 it is 0; NaN stays NaN.
[[gnu::always_inline]] inline float exp_negative(float x) {
  constexpr float round =
      12582912.0F;  // 1.5 * 2^23: adding it leaves the nearest whole number in the last bits
  const float shifted = x * 1.44269504F + round;
  const float n = shifted - round;
  // exp(x) = 2^n exp(r), |r| <= ln(2)/2; ln(2) in two parts, so that r keeps its digits
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  // (exp(r) - 1 - r) / r^2: the polynomial whose largest error on that interval, 5e-11 of exp(r), is smallest
  float p = 1.979033119e-4F;
  p = p * r + 1.394467082e-3F;
  p = p * r + 8.333497141e-3F;
  p = p * r + 4.166629480e-2F;
  p = p * r + 1.666666587e-1F;
  p = p * r + 5.000000068e-1F;
  p = p * r * r + r + 1.0F;
  const auto exponent = std::bit_cast<std::uint32_t>(shifted) << 23U;
  const auto value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) + exponent);
  if (x >= -87.0F) return value;
  return x < 0 ? 0.0F : x;
}
inline double exp_negative(double x) {
  return std::exp(x);
}

}  // namespace coppice::simd
