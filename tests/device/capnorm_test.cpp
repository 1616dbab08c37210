#include "coppice/device/capnorm.h"

#include "tests/device/random_matrix.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

constexpr Activation activations[] = {Activation::relu, Activation::leaky_relu, Activation::abs,
                                      Activation::tanh, Activation::identity};

double plain_activation(Activation activation, double y) {
  switch (activation) {
    case Activation::relu:
      return std::max(0.0, y);
    case Activation::leaky_relu:
      return y > 0 ? y : 0.01 * y;
    case Activation::abs:
      return std::abs(y);
    case Activation::tanh:
      return std::tanh(y);
    case Activation::identity:
      return y;
  }
  return 0;
}

struct Case {
  Activation activation;
  bool cap;
  double deviation;
  std::size_t samples;
};

/// Every activation, CapNorm on and off, deviations well below and above 1, odd and even numbers of samples.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Activation activation : activations) {
    for (const bool cap : {true, false}) {
      for (const double deviation : {0.2, 3.0}) {
        for (const std::size_t samples : {2U, 5U, 16U, 37U})
          all.push_back({activation, cap, deviation, samples});
      }
    }
  }
  return all;
}

template <class T>
struct Outcome {
  explicit Outcome(const Matrix<T>& z) : y(z), x(z.rows(), z.cols()), mean(z.rows()), divisor(z.rows()) {}
  Matrix<T> y;
  Matrix<T> x;
  std::vector<T> mean;
  std::vector<T> divisor;
};

template <class T>
Outcome<T> forward(const Case& c, const Matrix<T>& z) {
  Outcome<T> outcome(z);
  capnorm_forward<T>(outcome.y, c.cap, c.activation, outcome.x, outcome.mean, outcome.divisor);
  return outcome;
}

/// A loss that weighs every output differently.
double weighed(const Outcome<double>& outcome, const Matrix<double>& weight) {
  double sum = 0;
  for (std::size_t j = 0; j < weight.rows(); ++j) {
    for (std::size_t i = 0; i < weight.cols(); ++i) sum += weight(j, i) * outcome.x(j, i);
  }
  return sum;
}

TEST(Capnorm, ForwardEqualsTheFormula) {
  for (const Case& c : cases()) {
    const Matrix<double> z = random_matrix<double>(3, c.samples, c.samples, c.deviation);
    const Outcome<double> outcome = forward(c, z);
    for (std::size_t j = 0; j < 3; ++j) {
      double mean = 0;
      double variance = 0;
      for (const double value : z.row(j)) mean += value / static_cast<double>(c.samples);
      for (const double value : z.row(j))
        variance += (value - mean) * (value - mean) / static_cast<double>(c.samples);
      if (!c.cap) mean = 0;
      const double divisor = c.cap ? std::max(1.0, std::sqrt(variance)) : 1.0;
      EXPECT_NEAR(outcome.mean[j], mean, 1e-13);
      EXPECT_NEAR(outcome.divisor[j], divisor, 1e-13);
      for (std::size_t i = 0; i < c.samples; ++i) {
        const double y = (z(j, i) - mean) / divisor;
        EXPECT_NEAR(outcome.y(j, i), y, 1e-13);
        EXPECT_NEAR(outcome.x(j, i), plain_activation(c.activation, y), 1e-13);
      }
    }
  }
}

TEST(Capnorm, BackwardAgreesWithFiniteDifferences) {
  for (const Case& c : cases()) {
    Matrix<double> z = random_matrix<double>(3, c.samples, 100 + c.samples, c.deviation);
    const Matrix<double> weight = random_matrix<double>(3, c.samples, 7);
    const Outcome<double> outcome = forward(c, z);
    if (c.cap && c.samples > 4) {
      EXPECT_EQ(outcome.divisor[0] > 1, c.deviation > 1);
    }
    Matrix<double> gradient = weight;
    capnorm_backward<double>(gradient, c.cap, c.activation, outcome.y.view(), outcome.x.view(),
                             outcome.divisor);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < c.samples; ++i) {
        constexpr double h = 1e-6;
        const double value = z(j, i);
        z(j, i) = value + h;
        const double up = weighed(forward(c, z), weight);
        z(j, i) = value - h;
        const double down = weighed(forward(c, z), weight);
        z(j, i) = value;
        EXPECT_NEAR(gradient(j, i), (up - down) / (2 * h), 1e-7)
            << "activation " << static_cast<int>(c.activation) << " cap " << c.cap << " deviation "
            << c.deviation;
      }
    }
  }
}

TEST(Capnorm, FloatEqualsDouble) {
  for (const Case& c : cases()) {
    const Matrix<float> z = random_matrix<float>(3, c.samples, 5, c.deviation);
    const Outcome<float> coarse = forward(c, z);
    const Outcome<double> fine = forward(c, converted<double>(z));
    Matrix<float> g = random_matrix<float>(3, c.samples, 6);
    Matrix<double> h = converted<double>(g);
    capnorm_backward<float>(g, c.cap, c.activation, coarse.y.view(), coarse.x.view(), coarse.divisor);
    capnorm_backward<double>(h, c.cap, c.activation, fine.y.view(), fine.x.view(), fine.divisor);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < c.samples; ++i) {
        EXPECT_NEAR(static_cast<double>(coarse.x(j, i)), fine.x(j, i), 1e-5);
        EXPECT_NEAR(static_cast<double>(g(j, i)), h(j, i), 1e-5);
      }
    }
  }
}

TEST(Capnorm, AConstantRowBecomesZero) {
  for (const Activation activation : activations) {
    Matrix<float> z(1, 33);
    std::ranges::fill(z.row(0), 12345.678F);
    const Outcome<float> outcome = forward<float>({activation, true, 1, 33}, z);
    EXPECT_EQ(outcome.divisor[0], 1.0F);
    for (std::size_t i = 0; i < 33; ++i) EXPECT_NEAR(outcome.x(0, i), 0.0F, 0.01F);
    Matrix<float> g = random_matrix<float>(1, 33, 6);
    capnorm_backward<float>(g, true, activation, outcome.y.view(), outcome.x.view(), outcome.divisor);
    float sum = 0;
    for (const float value : g.row(0)) sum += value;
    EXPECT_NEAR(sum, 0.0F, 1e-4F);
  }
}

/// Units whose kinks have offsets, of samples with and without weights.
struct Kinked {
  explicit Kinked(const Case& c, bool weighted)
      : of(c), offsets{-1.3, 0.0, 0.8}, deviations(3), weights(weighted ? c.samples : 0) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.25F * static_cast<float>(1 + i % 7);
  }
  Outcome<double> forward(const Matrix<double>& z) {
    Outcome<double> outcome(z);
    capnorm_forward<double>(outcome.y, of.cap, of.activation, outcome.x, outcome.mean, outcome.divisor,
                            weights, {offsets, deviations});
    return outcome;
  }
  Case of;
  std::vector<double> offsets;
  std::vector<double> deviations;
  std::vector<float> weights;
};

TEST(Capnorm, KinksLieAtTheirShareOfTheDeviationFromTheMean) {
  for (const Case& c : cases()) {
    for (const bool weighted : {false, true}) {
      const Matrix<double> z = random_matrix<double>(3, c.samples, c.samples, c.deviation);
      Kinked kinked(c, weighted);
      const Outcome<double> outcome = kinked.forward(z);
      for (std::size_t j = 0; j < 3; ++j) {
        double count = 0;
        double mean = 0;
        double variance = 0;
        const auto weight = [&](std::size_t i) { return weighted ? kinked.weights[i] : 1.0; };
        for (std::size_t i = 0; i < c.samples; ++i) count += weight(i);
        for (std::size_t i = 0; i < c.samples; ++i) mean += weight(i) * z(j, i) / count;
        for (std::size_t i = 0; i < c.samples; ++i)
          variance += weight(i) * (z(j, i) - mean) * (z(j, i) - mean) / count;
        const double sigma = std::sqrt(variance);
        if (c.cap) {
          EXPECT_NEAR(kinked.deviations[j], sigma, 1e-13);
        }
        for (std::size_t i = 0; i < c.samples; ++i) {
          const double y =
              c.cap ? (z(j, i) - mean - kinked.offsets[j] * sigma) / std::max(1.0, sigma) : z(j, i);
          EXPECT_NEAR(outcome.y(j, i), y, 1e-13);
          EXPECT_NEAR(outcome.x(j, i), plain_activation(c.activation, y), 1e-13);
        }
      }
    }
  }
}

TEST(Capnorm, BackwardWithKinksAgreesWithFiniteDifferences) {
  for (const Case& c : cases()) {
    for (const bool weighted : {false, true}) {
      Kinked kinked(c, weighted);
      Matrix<double> z = random_matrix<double>(3, c.samples, 100 + c.samples, c.deviation);
      const Matrix<double> weight = random_matrix<double>(3, c.samples, 7);
      const Outcome<double> outcome = kinked.forward(z);
      Matrix<double> gradient = weight;
      capnorm_backward<double>(gradient, c.cap, c.activation, outcome.y.view(), outcome.x.view(),
                               outcome.divisor, false, kinked.weights, {kinked.offsets, kinked.deviations});
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t i = 0; i < c.samples; ++i) {
          constexpr double h = 1e-6;
          const double value = z(j, i);
          z(j, i) = value + h;
          const Outcome<double> up = kinked.forward(z);
          z(j, i) = value - h;
          const Outcome<double> down = kinked.forward(z);
          z(j, i) = value;
          bool kink_between = false;
          for (std::size_t k = 0; k < c.samples; ++k)
            kink_between = kink_between || (up.y(j, k) > 0) != (down.y(j, k) > 0);
          if (kink_between && c.activation != Activation::tanh) continue;
          EXPECT_NEAR(gradient(j, i), (weighed(up, weight) - weighed(down, weight)) / (2 * h), 2e-7)
              << "activation " << static_cast<int>(c.activation) << " cap " << c.cap << " deviation "
              << c.deviation << " weighted " << weighted;
        }
      }
    }
  }
}

/// What Proposition 1 needs: below the cap a longer fan-in means a longer y, wherever the kink is; above it nothing.
TEST(Capnorm, KinksScaleWithTheirInput) {
  const Matrix<double> z = random_matrix<double>(3, 37, 4, 0.2);
  for (const double factor : {3.0, 100.0}) {
    Matrix<double> scaled = z;
    for (std::size_t j = 0; j < 3; ++j) {
      for (double& value : scaled.row(j)) value *= factor;
    }
    Matrix<double> reference = z;
    for (std::size_t j = 0; j < 3; ++j) {
      for (double& value : reference.row(j)) value *= factor == 3 ? 1 : 50;  // a deviation of 10
    }
    Kinked kinked({Activation::relu, true, 1, 37}, false);
    const Outcome<double> long_one = kinked.forward(scaled);
    const Outcome<double> other = kinked.forward(reference);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 37; ++i)
        EXPECT_NEAR(long_one.x(j, i), (factor == 3 ? 3 : 1) * other.x(j, i), 1e-12);
    }
  }
}

TEST(Capnorm, AFlatUnitWithAKinkIsZeroAndItsGradientFinite) {
  const std::vector<float> offsets{1.5F};
  for (const float size : {0.0F, 1e-30F, 1e-12F, 1.0F}) {
    Matrix<float> z(1, 33);
    for (std::size_t i = 0; i < 33; ++i) z(0, i) = size * (i % 2 == 0 ? 1.0F : -1.0F);
    Outcome<float> outcome(z);
    std::vector<float> deviations(1);
    capnorm_forward<float>(outcome.y, true, Activation::relu, outcome.x, outcome.mean, outcome.divisor, {},
                           {offsets, deviations});
    Matrix<float> g = random_matrix<float>(1, 33, 6);
    capnorm_backward<float>(g, true, Activation::relu, outcome.y.view(), outcome.x.view(), outcome.divisor,
                            true, {}, {offsets, deviations});
    for (std::size_t i = 0; i < 33; ++i) {
      EXPECT_NEAR(outcome.y(0, i), 0, 3 * size);
      EXPECT_LT(std::abs(g(0, i)), 30.0F) << size;
    }
  }
}

TEST(Capnorm, OffsetsOfZeroAreAsNone) {
  for (const Case& c : cases()) {
    const Matrix<float> z = random_matrix<float>(3, c.samples, 5, c.deviation);
    const Outcome<float> plain = forward(c, z);
    Outcome<float> zero(z);
    const std::vector<float> offsets(3);
    std::vector<float> deviations(3);
    capnorm_forward<float>(zero.y, c.cap, c.activation, zero.x, zero.mean, zero.divisor, {},
                           {offsets, deviations});
    EXPECT_EQ(zero.x, plain.x);
    Matrix<float> g = random_matrix<float>(3, c.samples, 6);
    Matrix<float> h = g;
    capnorm_backward<float>(g, c.cap, c.activation, plain.y.view(), plain.x.view(), plain.divisor);
    capnorm_backward<float>(h, c.cap, c.activation, zero.y.view(), zero.x.view(), zero.divisor, false, {},
                            {offsets, deviations});
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < c.samples; ++i) EXPECT_NEAR(g(j, i), h(j, i), 1e-6);
    }
  }
}

TEST(Capnorm, TheGradientIsOrthogonalToWhatTheCapTakesAway) {
  const Matrix<double> z = random_matrix<double>(2, 40, 9, 4);
  const Outcome<double> outcome = forward<double>({Activation::tanh, true, 4, 40}, z);
  Matrix<double> g = random_matrix<double>(2, 40, 10);
  capnorm_backward<double>(g, true, Activation::tanh, outcome.y.view(), outcome.x.view(), outcome.divisor);
  for (std::size_t j = 0; j < 2; ++j) {
    double sum = 0;
    double along = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      sum += g(j, i);
      along += g(j, i) * z(j, i);
    }
    EXPECT_NEAR(sum, 0, 1e-12);    // a shift of z changes nothing
    EXPECT_NEAR(along, 0, 1e-11);  // nor does its scale while the cap is active
  }
}

TEST(Capnorm, ApplyWithTheMeasuredNumbersRepeatsForward) {
  for (const Case& c : cases()) {
    const Matrix<float> z = random_matrix<float>(3, c.samples, 11, c.deviation);
    const Outcome<float> outcome = forward(c, z);
    Outcome<float> applied(z);
    capnorm_apply<float>(applied.y, c.activation, applied.x, outcome.mean, outcome.divisor);
    EXPECT_EQ(applied.y, outcome.y);
    EXPECT_EQ(applied.x, outcome.x);
  }
}

TEST(Capnorm, WorksInPlaceForTheOutputLayer) {
  const Matrix<double> z = random_matrix<double>(3, 19, 12, 3);
  const Outcome<double> apart = forward<double>({Activation::identity, true, 3, 19}, z);
  Matrix<double> together = z;
  std::vector<double> mean(3);
  std::vector<double> divisor(3);
  capnorm_forward<double>(together, true, Activation::identity, together, mean, divisor);
  EXPECT_EQ(together, apart.y);
}

}  // namespace
}  // namespace coppice
