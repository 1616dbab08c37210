#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/activation.h"

#include <cstddef>
#include <span>

namespace coppice {

// CapNorm, one unit per row, one sample per column:
//   mu = mean(z), sigma = sqrt(mean((z - mu)^2)), m = max(sigma, 1), y = (z - mu) / m, x = activation(y)
// A disabled CapNorm (cap = false) is mu = 0, m = 1. T is float, or double for checks.
// A unit may have an offset kappa of its kink: what is taken off is then mu + kappa sigma instead of mu.
// Samples may have weights w (one each; empty: all are 1), which means take into account: mean(z) = sum(w z) / sum(w).

/// Where a unit's deviation is below that, it does not depend on its input.
constexpr double flat_deviation = 1e-20;

/// Offsets of kinks, one per unit, of units that are capped. None: all are zero.
template <class T>
struct Kinks {
  std::span<const T> offsets = {};
  std::span<T> deviations = {};  ///< forward leaves sigma here, unless it is empty; backward needs it

  Kinks block(std::size_t first, std::size_t count) const {
    const auto part = [&](auto all) { return all.empty() ? all : all.subspan(first, count); };
    return {part(offsets), part(deviations)};
  }
};

/// What CapNorm remembers of a unit: running mean and variance of its input, running means of what its backward pass takes away,
/// and how full they are, 0 to 1. A new unit's are empty.
struct SeenUnit {
  double mean = 0;
  double variance = 0;
  double filled = 0;
  double slope = 0;  ///< mean(gy)
  double along = 0;  ///< mean(gy y)
  bool operator==(const SeenUnit&) const = default;
};

/// Takes a batch's mean and variance into them; `share`: how much of them is the batch from now on, were they full.
inline void remember(SeenUnit& seen, double mean, double variance, double share) {
  seen.filled = (1 - share) * seen.filled + share;
  const double part = share / seen.filled;
  const double before = seen.mean;
  seen.mean += part * (mean - before);
  const auto spread = [&](double variance_of, double mean_of) {
    return variance_of + (mean_of - seen.mean) * (mean_of - seen.mean);
  };
  seen.variance = (1 - part) * spread(seen.variance, before) + part * spread(variance, mean);
}

/// The same of a batch whose mean and variance have just been taken into them.
inline void remember_slopes(SeenUnit& seen, double slope, double along, double share) {
  const double part = share / seen.filled;
  seen.slope += part * (slope - seen.slope);
  seen.along += part * (along - seen.along);
}

/// Statistics over more rows than the batch has: those of the last batches, too. None: of the batch alone.
struct Memory {
  std::span<SeenUnit> units = {};
  double share = 1;

  Memory block(std::size_t first, std::size_t count) const {
    return {units.empty() ? units : units.subspan(first, count), share};
  }
};

/// z becomes y in place; x = activation(y). mean and divisor (one per row) receive mu, or mu + kappa sigma, and m;
/// m > 1 exactly where the cap was active. With a memory, mu and sigma are what it knows after this batch.
template <class T>
void capnorm_forward(View<T> z, bool cap, Activation activation, View<T> x, std::span<T> mean,
                     std::span<T> divisor, std::span<const float> weights = {}, const Kinks<T>& kinks = {},
                     const Memory& memory = {});

/// The same with those two given: a trained network at work.
template <class T>
void capnorm_apply(View<T> z, Activation activation, View<T> x, std::span<const T> mean,
                   std::span<const T> divisor);

/// g holds dE/dx and becomes dE/dz; `zero_learns`: a unit whose y is 0 for every sample has the slope of relu's right side:
///   gy = g * slope;  m > 1: gz = (gy - mean(gy) - y mean(gy y)) / m,  else gz = gy - mean(gy)
/// With weights gz = (gy - w (sum(gy) + y sum(gy y)) / sum(w)) / m: a gradient has its sample's weight in it already.
/// With kinks, and h = (z - mu) / sigma:
///   m > 1: gz = (gy - mean(gy) - h mean(gy h)) / m,  else gz = gy - mean(gy) - h kappa mean(gy), and h = 0 where sigma is
template <class T>
void capnorm_backward(View<T> g, bool cap, Activation activation, View<const T> y, View<const T> x,
                      std::span<const T> divisor, bool zero_learns = false,
                      std::span<const float> weights = {}, const Kinks<T>& kinks = {},
                      const Memory& memory = {});

}  // namespace coppice
