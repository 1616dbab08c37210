#include "experiments/logistic.h"

#include "coppice/core/random.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice::experiments {
namespace {

Points drawn(std::size_t count, const std::vector<double>& weights, double bias) {
  Points points{.inputs = Matrix<float>(count, weights.size()), .labels = {}};
  Random random(5, Purpose::generator);
  for (std::size_t i = 0; i < count; ++i) {
    double score = bias;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      points.inputs(i, c) = static_cast<float>(random.normal());
      score += weights[c] * points.inputs(i, c);
    }
    points.labels.push_back(random.uniform() < 1 / (1 + std::exp(-score)));
  }
  return points;
}

TEST(Logistic, FindsTheWeightsThatDrewTheLabels) {
  const std::vector<double> weights = fit_logistic(drawn(40'000, {2, -1, 0}, 0.5));
  ASSERT_EQ(weights.size(), 4U);
  const std::vector<double> truth{2, -1, 0, 0.5};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(weights[i], truth[i], 0.1) << i;
}

/// At the optimum the residuals are orthogonal to every input.
TEST(Logistic, TheGradientIsZero) {
  const Points points = drawn(500, {1, 1}, 0);
  const std::vector<double> weights = fit_logistic(points);
  for (std::size_t c = 0; c < 2; ++c) {
    double gradient = 0;
    for (std::size_t i = 0; i < 500; ++i) {
      const double score = weights[0] * points.inputs(i, 0) + weights[1] * points.inputs(i, 1) + weights[2];
      gradient += ((points.labels[i] ? 1.0 : 0.0) - 1 / (1 + std::exp(-score))) * points.inputs(i, c);
    }
    EXPECT_NEAR(gradient / 500, 0, 1e-7);
  }
}

TEST(Logistic, StaysFiniteWhereTheClassesCanBeToldApart) {
  Points points{.inputs = Matrix<float>(4, 1), .labels = {false, false, true, true}};
  for (std::size_t i = 0; i < 4; ++i) points.inputs(i, 0) = static_cast<float>(i) - 1.5F;
  const std::vector<double> weights = fit_logistic(points);
  EXPECT_TRUE(std::isfinite(weights[0]) && std::isfinite(weights[1]));
  EXPECT_EQ(logistic_error(weights, points), 0);
  points.labels[0] = true;
  EXPECT_EQ(logistic_error(weights, points), 0.25);
}

TEST(Logistic, TheLastColumnOfATableIsTheClass) {
  Table table;
  table.add_numbers("suit", std::vector{1, 4});
  table.add_numbers("rank", std::vector{13, 2});
  table.add_numbers("label", std::vector{0, 1});
  const Points points = points_of(table);
  EXPECT_EQ(points.inputs.cols(), 2U);
  EXPECT_EQ(points.inputs(0, 1), 13);
  EXPECT_EQ(points.inputs(1, 0), 4);
  EXPECT_EQ(points.labels, (std::vector{false, true}));
}

}  // namespace
}  // namespace coppice::experiments
