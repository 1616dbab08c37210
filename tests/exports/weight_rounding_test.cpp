#include "coppice/exports/weight_rounding.h"

#include "coppice/core/random.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// Levels of inputs that go along with each other, weights between -100 and 100 and the sums that they want.
struct Example {
  Matrix<std::uint16_t> levels;
  std::vector<double> weights;
  std::vector<double> wanted;

  Example(std::size_t rows, std::size_t inputs) : levels(rows, inputs), wanted(rows) {
    Random random(3, Purpose::generator);
    for (std::size_t i = 0; i < inputs; ++i)
      weights.push_back(static_cast<double>(random.below(20'000)) / 100 - 100);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint64_t common = random.below(400);
      for (std::size_t i = 0; i < inputs; ++i) {
        levels(row, i) = static_cast<std::uint16_t>(common + random.below(100));
        wanted[row] += weights[i] * levels(row, i);
      }
    }
  }

  /// Root of the mean squared error of the sums, but for a constant.
  template <class Weights>
  double error(const Weights& rounded) const {
    double sum = 0;
    double squares = 0;
    for (std::size_t row = 0; row < levels.rows(); ++row) {
      double off = -wanted[row];
      for (std::size_t i = 0; i < levels.cols(); ++i) off += rounded[i] * levels(row, i);
      sum += off;
      squares += off * off;
    }
    const auto rows = static_cast<double>(levels.rows());
    return std::sqrt(squares / rows - sum * sum / rows / rows);
  }
};

TEST(WeightRounding, SumsComeOutRight) {
  const Example example(300, 20);
  std::vector<double> nearest;
  for (const double weight : example.weights) nearest.push_back(std::round(weight));
  const auto made = WeightRounding(example.levels).round(example.weights, example.wanted);
  EXPECT_LT(example.error(made), 0.5 * example.error(nearest));
  for (std::size_t i = 0; i < made.size(); ++i) EXPECT_NEAR(made[i], example.weights[i], 2);
}

TEST(WeightRounding, FewRowsMoveWeightsLittle) {
  const Example example(3, 40);
  std::vector<double> other = example.wanted;
  other.front() += 5'000;
  const auto made = WeightRounding(example.levels).round(example.weights, other);
  double far = 0;
  for (std::size_t i = 0; i < made.size(); ++i) far = std::max(far, std::fabs(made[i] - example.weights[i]));
  EXPECT_LT(far, 12);
}

TEST(WeightRounding, WeightsHaveEightBits) {
  const Example example(50, 1);
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> wanted;
    for (std::size_t row = 0; row < 50; ++row) wanted.push_back(300 * sign * example.levels(row, 0));
    EXPECT_EQ(WeightRounding(example.levels).round(std::vector{126.0 * sign}, wanted).front(), 127 * sign);
  }
}

TEST(WeightRounding, WhatNeverVariesIsRoundedToTheNearest) {
  Matrix<std::uint16_t> levels(10, 3);
  for (std::size_t row = 0; row < 10; ++row) levels(row, 1) = 7;
  const std::vector<double> weights{1.4, -2.6, 126.7};
  EXPECT_EQ(WeightRounding(levels).round(weights, std::vector<double>(10, 5.0)),
            (std::vector<std::int8_t>{1, -3, 127}));
}

}  // namespace
}  // namespace coppice
