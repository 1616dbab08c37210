#include "coppice/device/loss.h"

#include "tests/device/random_matrix.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using Labels = std::vector<std::uint32_t>;

LossSum loss_of(const Matrix<double>& scores, const std::vector<double>& offset, const Labels& labels) {
  return cross_entropy<double>(scores.view(), offset, labels, 1.0, {});
}

TEST(CrossEntropy, EqualsThePlainFormula) {
  const Matrix<double> scores = random_matrix<double>(4, 9, 1, 2);
  const std::vector<double> offset{-0.1, -2.0, -3.0, 0.4};
  const Labels labels{0, 1, 2, 3, 0, 1, 2, 3, 3};
  double loss = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    double total = 0;
    std::size_t best = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      total += std::exp(scores(k, i) + offset[k]);
      if (scores(k, i) + offset[k] > scores(best, i) + offset[best]) best = k;
    }
    loss -= std::log(std::exp(scores(labels[i], i) + offset[labels[i]]) / total);
    wrong += best != labels[i] ? 1 : 0;
  }
  const LossSum sum = loss_of(scores, offset, labels);
  EXPECT_NEAR(sum.loss, loss, 1e-12);
  EXPECT_EQ(sum.wrong, wrong);
}

TEST(CrossEntropy, GradientAgreesWithFiniteDifferences) {
  for (const std::vector<double>& offset : {std::vector<double>{}, std::vector<double>{-0.1, -2.0, -4.0}}) {
    Matrix<double> scores = random_matrix<double>(3, 6, 2, 3);
    const Labels labels{0, 1, 2, 2, 1, 3};  // the last is none of the three classes
    Matrix<double> gradient(3, 6);
    constexpr double scale = 0.37;
    const LossSum sum = cross_entropy<double>(std::as_const(scores).view(), offset, labels, scale, gradient);
    EXPECT_EQ(sum.loss, loss_of(scores, offset, labels).loss);
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < 6; ++i) {
        constexpr double h = 1e-5;
        const double value = scores(k, i);
        scores(k, i) = value + h;
        const double up = loss_of(scores, offset, labels).loss;
        scores(k, i) = value - h;
        const double down = loss_of(scores, offset, labels).loss;
        scores(k, i) = value;
        EXPECT_NEAR(gradient(k, i), scale * (up - down) / (2 * h), 1e-9) << k << ',' << i;
      }
    }
  }
}

/// The loss with a smoothed label is the mean of the losses with every label, weighted by the target.
TEST(CrossEntropy, SmoothedLabelsShareTheTargetOut) {
  constexpr double smoothing = 0.3;
  const std::vector<double> offset{-0.1, -2.0, -4.0};
  Matrix<double> scores = random_matrix<double>(3, 5, 2, 3);
  const Labels labels{0, 1, 2, 1, 3};  // the last is none of the three classes
  const std::vector<float> weights{1, 2, 0.5F, 1, 1};
  const auto smoothed = [&](View<double> gradient) {
    return cross_entropy<double>(std::as_const(scores).view(), offset, labels, 0.37, gradient, weights,
                                 smoothing);
  };
  double expected = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    Matrix<double> one(3, 1);
    for (std::size_t k = 0; k < 3; ++k) one(k, 0) = scores(k, i);
    for (std::uint32_t k = 0; k < 3; ++k)
      expected += weights[i] * (smoothing / 3 + (k == labels[i] ? 1 - smoothing : 0)) *
                  loss_of(one, offset, {k}).loss;
  }
  Matrix<double> gradient(3, 5);
  EXPECT_NEAR(smoothed(gradient.view()).loss, expected, 1e-12);
  EXPECT_EQ(smoothed({}).wrong,
            cross_entropy<double>(std::as_const(scores).view(), offset, labels, 1.0, {}, weights).wrong);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 5; ++i) {
      constexpr double h = 1e-5;
      const double value = scores(k, i);
      scores(k, i) = value + h;
      const double up = smoothed({}).loss;
      scores(k, i) = value - h;
      const double down = smoothed({}).loss;
      scores(k, i) = value;
      EXPECT_NEAR(gradient(k, i), 0.37 * (up - down) / (2 * h), 1e-9) << k << ',' << i;
    }
  }
}

TEST(CrossEntropy, ALabelOutsideTheClassesIsWrongWithoutLoss) {
  const Matrix<double> scores = random_matrix<double>(3, 2, 3);
  const LossSum sum = loss_of(scores, {}, {3, 4000000000U});
  EXPECT_EQ(sum.wrong, 2U);
  EXPECT_EQ(sum.loss, 0.0);
}

TEST(CrossEntropy, HugeScoresStayFinite) {
  Matrix<float> scores(3, 2);
  scores(0, 0) = 1e30F;
  scores(1, 0) = -1e30F;
  scores(0, 1) = -3e4F;
  scores(1, 1) = -1e4F;
  scores(2, 1) = -2e4F;
  Matrix<float> gradient(3, 2);
  const Labels labels{0, 1};
  const LossSum sum = cross_entropy<float>(std::as_const(scores).view(), {}, labels, 1.0F, gradient);
  EXPECT_EQ(sum.wrong, 0U);
  EXPECT_EQ(sum.loss, 0.0);
  const Labels wrong{1, 0};
  const LossSum worse = cross_entropy<float>(std::as_const(scores).view(), {}, wrong, 1.0F, gradient);
  EXPECT_TRUE(std::isfinite(worse.loss));
  EXPECT_NEAR(worse.loss, 2e30, 1e24);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(std::isfinite(gradient(k, i)));
  }
}

TEST(CrossEntropy, TiesGoToTheClassThatComesFirst) {
  const Matrix<double> scores(3, 3);
  EXPECT_EQ(loss_of(scores, {}, {0, 0, 0}).wrong, 0U);
  EXPECT_EQ(loss_of(scores, {}, {1, 2, 1}).wrong, 3U);
  EXPECT_EQ(loss_of(scores, {-1.0, 0.0, 0.0}, {1, 1, 1}).wrong, 0U);
}

TEST(CrossEntropy, OffsetMovesTheDecision) {
  const Matrix<double> scores(2, 1);
  EXPECT_EQ(loss_of(scores, {-3.0, -0.05}, {1}).wrong, 0U);
  EXPECT_EQ(loss_of(scores, {-3.0, -0.05}, {0}).wrong, 1U);
  EXPECT_NEAR(loss_of(scores, {std::log(0.05), std::log(0.95)}, {1}).loss, -std::log(0.95), 1e-12);
}

TEST(CrossEntropy, FloatEqualsDouble) {
  const Matrix<float> scores = random_matrix<float>(10, 50, 4, 2);
  const Matrix<double> precise = converted<double>(scores);
  Labels labels(50);
  for (std::size_t i = 0; i < 50; ++i) labels[i] = static_cast<std::uint32_t>(i % 10);
  Matrix<float> g(10, 50);
  Matrix<double> h(10, 50);
  const LossSum a = cross_entropy<float>(scores.view(), {}, labels, 0.5F, g);
  const LossSum b = cross_entropy<double>(precise.view(), {}, labels, 0.5, h);
  EXPECT_EQ(a.wrong, b.wrong);
  EXPECT_NEAR(a.loss, b.loss, 1e-5 * b.loss);
  for (std::size_t k = 0; k < 10; ++k) {
    for (std::size_t i = 0; i < 50; ++i) EXPECT_NEAR(static_cast<double>(g(k, i)), h(k, i), 1e-6);
  }
}

TEST(CrossEntropy, ScoresThatAreNotNumbersGiveALossThatIsNotFinite) {
  Matrix<double> scores(2, 1);
  scores(1, 0) = std::nan("");
  EXPECT_FALSE(std::isfinite(loss_of(scores, {}, {0}).loss));
  scores(1, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(std::isfinite(loss_of(scores, {}, {0}).loss));
}

TEST(SquaredError, ValueAndGradient) {
  const Matrix<double> scores = random_matrix<double>(1, 5, 5);
  const std::vector<float> targets{0.5F, -1.0F, 2.0F, 0.0F, 3.0F};
  Matrix<double> gradient(1, 5);
  const LossSum sum = squared_error<double>(scores.view(), targets, 0.25, gradient);
  double expected = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const double difference = scores(0, i) - static_cast<double>(targets[i]);
    expected += difference * difference;
    EXPECT_NEAR(gradient(0, i), 0.25 * 2 * difference, 1e-15);
  }
  EXPECT_NEAR(sum.loss, expected, 1e-14);
  EXPECT_EQ(sum.wrong, 0U);
  EXPECT_EQ(squared_error<double>(scores.view(), targets, 0.25, {}).loss, sum.loss);
}

}  // namespace
}  // namespace coppice
