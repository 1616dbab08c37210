#include "coppice/device/part_sums.h"

#include "coppice/device/cpu/simd.h"

namespace coppice {

namespace {

COPPICE_SIMD void moments_of(const float* z, std::size_t n, PartMoments& part) {
  const auto count = static_cast<double>(n);
  const double mean = simd::sum<double>(n, [&](std::size_t i) { return z[i]; }) / count;
  part = {.weight = count, .mean = mean, .squares = simd::sum<double>(n, [&](std::size_t i) {
                                           const double d = z[i] - mean;
                                           return d * d;
                                         })};
}

COPPICE_SIMD void weighted_moments_of(const float* z, const float* w, std::size_t n, PartMoments& part) {
  const double weight = simd::sum<double>(n, [&](std::size_t i) { return w[i]; });
  part = {.weight = weight, .mean = 0, .squares = 0};
  if (weight == 0) return;
  const double mean =
      simd::sum<double>(n, [&](std::size_t i) { return static_cast<double>(w[i]) * z[i]; }) / weight;
  part.mean = mean;
  part.squares = simd::sum<double>(n, [&](std::size_t i) {
    const double d = z[i] - mean;
    return w[i] * d * d;
  });
}

template <Activation A>
COPPICE_SIMD void gradient_of(float* g, const float* y, const float* x, std::size_t n, PartGradient& part) {
  for (std::size_t i = 0; i < n; ++i) g[i] *= slope<A>(y[i], x[i]);
  part.sum = simd::sum<double>(n, [&](std::size_t i) { return g[i]; });
  part.along = simd::sum<double>(n, [&](std::size_t i) { return static_cast<double>(g[i]) * y[i]; });
}

COPPICE_SIMD void finish_unit(float* g, const float* y, std::size_t n, float divisor, float mean,
                              float along) {
  const float scale = 1.0F / divisor;
  for (std::size_t i = 0; i < n; ++i) g[i] = (g[i] - mean - y[i] * along) * scale;
}

COPPICE_SIMD void finish_weighted_unit(float* g, const float* y, const float* w, std::size_t n, float divisor,
                                       float mean, float along) {
  const float scale = 1.0F / divisor;
  for (std::size_t i = 0; i < n; ++i) g[i] = (g[i] - w[i] * (mean + y[i] * along)) * scale;
}

}  // namespace

PartMoments PartMoments::with(const PartMoments& other) const {
  if (other.weight == 0) return *this;
  if (weight == 0) return other;
  const double all = weight + other.weight;
  const double apart = other.mean - mean;
  return {.weight = all,
          .mean = mean + apart * (other.weight / all),
          .squares = squares + other.squares + apart * apart * (weight * other.weight / all)};
}

void part_moments(View<const float> z, std::span<const float> weights, std::span<PartMoments> moments) {
  for (std::size_t j = 0; j < z.rows; ++j) {
    if (weights.empty()) {
      moments_of(z[j], z.cols, moments[j]);
    } else {
      weighted_moments_of(z[j], weights.data(), z.cols, moments[j]);
    }
  }
}

void part_gradients(View<float> g, Activation activation, View<const float> y, View<const float> x,
                    std::span<PartGradient> sums) {
  with_activation(activation, [&]<Activation A>() {
    for (std::size_t j = 0; j < g.rows; ++j) gradient_of<A>(g[j], y[j], x[j], g.cols, sums[j]);
  });
}

void finish_part(View<float> g, View<const float> y, std::span<const float> divisor,
                 std::span<const PartGradient> mean, std::span<const float> weights) {
  for (std::size_t j = 0; j < g.rows; ++j) {
    const auto sum = static_cast<float>(mean[j].sum);
    const float along = divisor[j] > 1.0F ? static_cast<float>(mean[j].along) : 0.0F;
    if (weights.empty()) {
      finish_unit(g[j], y[j], g.cols, divisor[j], sum, along);
    } else {
      finish_weighted_unit(g[j], y[j], weights.data(), g.cols, divisor[j], sum, along);
    }
  }
}

}  // namespace coppice
