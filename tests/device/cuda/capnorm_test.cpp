#include "coppice/device/capnorm.h"

#include "coppice/device/cuda/capnorm.h"

#include "tests/device/cuda/batch.h"
#include "tests/device/random_matrix.h"
#include "tests/gpu.h"

#include <cmath>

namespace coppice::cuda {
namespace {

using GpuCapnorm = test::OnGpu;

/// Forward and backward of three nets of different widths against the CPU in double. With `zero_learns`
/// one unit is zero for every sample.
void check_capnorm(Activation activation, bool cap, double deviation, std::size_t samples,
                   bool zero_learns = false, double kinks = 0, bool weighted = false) {
  const Stream stream;
  const std::vector<int> units{5, 0, 12};
  constexpr std::size_t most = 12;
  const std::size_t stride = (samples + 3) / 4 * 4 + 4;
  std::vector<Matrix<float>> z;
  std::vector<Matrix<float>> g;
  for (std::size_t i = 0; i < units.size(); ++i) {
    z.push_back(random_matrix<float>(static_cast<std::size_t>(units[i]), samples, i, deviation));
    g.push_back(random_matrix<float>(static_cast<std::size_t>(units[i]), samples, 10 + i));
    if (zero_learns && units[i] > 0) std::ranges::fill(z.back().row(2), 0.0F);
  }
  PaddedMatrices device_z(z, most, stride);
  PaddedMatrices device_x(std::vector<Matrix<float>>(units.size()), most, stride);
  PaddedMatrices device_g(g, most, stride);
  const Array<float> mean(units.size() * most);
  const Array<float> divisor(units.size() * most);
  const Array<float> sigma(units.size() * most);
  std::vector<float> offsets;
  for (std::size_t i = 0; i < units.size() * most; ++i)
    offsets.push_back(static_cast<float>(kinks * std::sin(static_cast<double>(3 * i + 1))));
  const Array<float> device_offsets = uploaded(std::span<const float>(offsets), stream);
  std::vector<float> weights(weighted ? units.size() * stride : 0);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.25F * static_cast<float>(1 + i % 7);
  const Array<float> device_weights = uploaded(std::span<const float>(weights), stream);
  const Array<int> device_units = uploaded(std::span<const int>(units), stream);
  const UnitRows rows{.z = device_z.data(),
                      .x = device_x.data(),
                      .mean = mean.data(),
                      .divisor = divisor.data(),
                      .net_stride = device_z.net_stride(),
                      .stride = device_z.stride(),
                      .unit_stride = most,
                      .units = {.per_net = device_units.data(), .most = most},
                      .samples = {.per_net = nullptr, .most = static_cast<int>(samples)},
                      .weights = {.all = weighted ? device_weights.data() : nullptr, .stride = stride},
                      .cap = cap,
                      .activation = activation,
                      .kinks = kinks > 0 ? device_offsets.data() : nullptr,
                      .deviation = sigma.data(),
                      .zero_learns = zero_learns};
  capnorm_forward(rows, units.size(), stream);
  capnorm_backward(rows, device_g.data(), units.size(), stream);
  stream.wait();
  device_z.download();
  device_x.download();
  device_g.download();
  const std::vector<float> means = downloaded(mean.data(), mean.size(), stream);
  const std::vector<float> divisors = downloaded(divisor.data(), divisor.size(), stream);

  for (std::size_t i = 0; i < units.size(); ++i) {
    Matrix<double> y = converted<double>(z[i]);
    Matrix<double> x(y.rows(), y.cols());
    Matrix<double> gradient = converted<double>(g[i]);
    std::vector<double> mu(y.rows());
    std::vector<double> m(y.rows());
    std::vector<double> kappa(y.rows());
    std::vector<double> deviations(y.rows());
    for (std::size_t j = 0; j < y.rows(); ++j) kappa[j] = offsets[i * most + j];
    const Kinks<double> offset = kinks > 0 ? Kinks<double>{kappa, deviations} : Kinks<double>{};
    const std::span<const float> own =
        weighted ? std::span<const float>(weights).subspan(i * stride, samples) : std::span<const float>{};
    capnorm_forward<double>(y, cap, activation, x, mu, m, own, offset);
    capnorm_backward<double>(gradient, cap, activation, y.view(), x.view(), m, zero_learns, own, offset);
    for (std::size_t j = 0; j < y.rows(); ++j) {
      ASSERT_NEAR(means[i * most + j], mu[j], (kinks > 0 ? 3e-6 : 1e-6) * deviation);
      ASSERT_NEAR(divisors[i * most + j], m[j], 2e-6 * m[j]);
      for (std::size_t s = 0; s < samples; ++s) {
        ASSERT_NEAR(device_z.at(i, j, s), y(j, s), 5e-6);
        ASSERT_NEAR(device_x.at(i, j, s), x(j, s), 5e-6);
        ASSERT_NEAR(device_g.at(i, j, s), gradient(j, s), 1e-5);
      }
    }
    for (std::size_t j = y.rows(); j < most; ++j) {
      ASSERT_EQ(device_x.at(i, j, 0), PaddedMatrices::poison) << "written beyond the net's own";
    }
  }
}

TEST_F(GpuCapnorm, ZeroUnitsLearnWhereTheyAreToldTo) {
  for (const Activation activation : {Activation::relu, Activation::leaky_relu, Activation::abs}) {
    for (const bool cap : {true, false}) {
      for (const std::size_t samples : {37U, 2501U}) check_capnorm(activation, cap, 3, samples, true);
    }
  }
}

TEST_F(GpuCapnorm, WithKinksEqualsTheCpuInDouble) {
  for (const Activation activation :
       {Activation::relu, Activation::leaky_relu, Activation::abs, Activation::tanh}) {
    for (const bool weighted : {false, true}) {
      for (const double deviation : {0.2, 3.0}) {
        for (const std::size_t samples : {2U, 37U, 1000U, 2501U})
          check_capnorm(activation, true, deviation, samples, false, 1, weighted);
      }
    }
  }
  check_capnorm(Activation::relu, true, 3, 37, true, 1);
  check_capnorm(Activation::relu, false, 3, 37, false, 1);
}

TEST_F(GpuCapnorm, EqualsTheCpuInDouble) {
  for (const Activation activation :
       {Activation::relu, Activation::leaky_relu, Activation::abs, Activation::tanh, Activation::identity}) {
    for (const bool cap : {true, false}) {
      for (const double deviation : {0.2, 3.0}) {
        for (const std::size_t samples : {2U, 37U, 1000U, 2501U})
          check_capnorm(activation, cap, deviation, samples);
      }
    }
  }
}

}  // namespace
}  // namespace coppice::cuda
