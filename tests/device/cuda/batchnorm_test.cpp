#include "coppice/device/batchnorm.h"

#include "coppice/device/cuda/batchnorm.h"

#include "tests/device/cuda/batch.h"
#include "tests/device/random_matrix.h"
#include "tests/gpu.h"

namespace coppice::cuda {
namespace {

using GpuBatchnorm = test::OnGpu;

/// Forward and backward of three nets of different widths against the CPU in double.
void check_batchnorm(Activation activation, bool free_scales, double deviation, std::size_t samples) {
  const Stream stream;
  const std::vector<int> units{5, 0, 12};
  constexpr std::size_t most = 12;
  const std::size_t stride = (samples + 3) / 4 * 4 + 4;
  std::vector<Matrix<float>> z;
  std::vector<Matrix<float>> g;
  std::vector<Matrix<float>> affine;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto count = static_cast<std::size_t>(units[i]);
    z.push_back(random_matrix<float>(count, samples, i, deviation));
    g.push_back(random_matrix<float>(count, samples, 10 + i));
    affine.push_back(random_matrix<float>(count, 2, 20 + i));  // some negative
  }
  PaddedMatrices device_z(z, most, stride);
  PaddedMatrices device_x(std::vector<Matrix<float>>(units.size()), most, stride);
  PaddedMatrices device_g(g, most, stride);
  const PaddedMatrices device_affine(affine, most, 2);
  PaddedMatrices affine_gradient(std::vector<Matrix<float>>(units.size()), most, 2);
  const Array<float> mean(units.size() * most);
  const Array<float> divisor(units.size() * most);
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
                      .activation = activation,
                      .affine = free_scales ? device_affine.data() : nullptr,
                      .affine_gradient = free_scales ? affine_gradient.data() : nullptr};
  batchnorm_forward(rows, units.size(), stream);
  batchnorm_backward(rows, device_g.data(), units.size(), stream);
  stream.wait();
  for (PaddedMatrices* matrices : {&device_z, &device_x, &device_g, &affine_gradient}) matrices->download();
  const std::vector<float> means = downloaded(mean.data(), mean.size(), stream);
  const std::vector<float> divisors = downloaded(divisor.data(), divisor.size(), stream);

  const double scale = 1 + 1 / deviation;  // of dE/dz, which is divided by the deviation
  for (std::size_t i = 0; i < units.size(); ++i) {
    Matrix<double> y = converted<double>(z[i]);
    Matrix<double> x(y.rows(), y.cols());
    Matrix<double> gradient = converted<double>(g[i]);
    const Matrix<double> own = converted<double>(affine[i]);
    Matrix<double> own_gradient(y.rows(), 2);
    std::vector<double> mu(y.rows());
    std::vector<double> d(y.rows());
    const View<const double> free = free_scales ? own.view() : View<const double>{};
    batchnorm_forward<double>(y, free, activation, x, mu, d);
    batchnorm_backward<double>(gradient, free, activation, y.view(), x.view(), d, own_gradient);
    for (std::size_t j = 0; j < y.rows(); ++j) {
      ASSERT_NEAR(means[i * most + j], mu[j], 1e-6 * deviation);
      ASSERT_NEAR(divisors[i * most + j], d[j], 2e-6 * d[j]);
      for (std::size_t s = 0; s < samples; ++s) {
        ASSERT_NEAR(device_z.at(i, j, s), y(j, s), 1e-5);
        ASSERT_NEAR(device_x.at(i, j, s), x(j, s), 2e-5);
        ASSERT_NEAR(device_g.at(i, j, s), gradient(j, s), 5e-5 * scale);
      }
      for (std::size_t e = 0; e < 2 && free_scales; ++e) {
        ASSERT_NEAR(affine_gradient.at(i, j, e), own_gradient(j, e), 1e-5 * static_cast<double>(samples));
      }
    }
    for (std::size_t j = y.rows(); j < most; ++j) {
      ASSERT_EQ(device_x.at(i, j, 0), PaddedMatrices::poison) << "written beyond the net's own";
      ASSERT_EQ(affine_gradient.at(i, j, 0), PaddedMatrices::poison) << "written beyond the net's own";
    }
  }
}

TEST_F(GpuBatchnorm, EqualsTheCpuInDouble) {
  for (const Activation activation :
       {Activation::relu, Activation::leaky_relu, Activation::abs, Activation::tanh, Activation::identity}) {
    for (const bool free_scales : {true, false}) {
      for (const double deviation : {0.2, 3.0}) {
        for (const std::size_t samples : {5U, 37U, 1000U, 2501U}) {
          check_batchnorm(activation, free_scales, deviation, samples);
        }
      }
    }
  }
}

}  // namespace
}  // namespace coppice::cuda
