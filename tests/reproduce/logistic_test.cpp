#include "coppice/reproduce/logistic.h"

#include "coppice/core/random.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace coppice::reproduce {
namespace {

Dataset drawn(std::size_t count, const std::vector<double>& weights, double bias) {
  Dataset data;
  data.inputs = Matrix<float>(count, weights.size());
  Random random(5, Purpose::generator);
  for (std::size_t i = 0; i < count; ++i) {
    double score = bias;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      data.inputs(i, c) = static_cast<float>(random.normal());
      score += weights[c] * data.inputs(i, c);
    }
    data.labels.push_back(random.uniform() < 1 / (1 + std::exp(-score)) ? 1 : 0);
  }
  return data;
}

std::vector<std::uint32_t> rows_of(const Dataset& data) {
  std::vector<std::uint32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

TEST(Logistic, FindsTheWeightsThatDrewTheLabels) {
  const Dataset data = drawn(40'000, {2, -1, 0}, 0.5);
  const std::vector<double> weights = fit_logistic(data, rows_of(data));
  ASSERT_EQ(weights.size(), 4U);
  const std::vector<double> truth{2, -1, 0, 0.5};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(weights[i], truth[i], 0.1) << i;
}

/// At the optimum the residuals are orthogonal to every input.
TEST(Logistic, TheGradientIsZero) {
  const Dataset data = drawn(500, {1, 1}, 0);
  const std::vector<double> weights = fit_logistic(data, rows_of(data));
  for (std::size_t c = 0; c < 2; ++c) {
    double gradient = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const double score = weights[0] * data.inputs(i, 0) + weights[1] * data.inputs(i, 1) + weights[2];
      gradient += ((data.labels[i] == 1 ? 1.0 : 0.0) - 1 / (1 + std::exp(-score))) * data.inputs(i, c);
    }
    EXPECT_NEAR(gradient / 500, 0, 1e-7);
  }
}

TEST(Logistic, StaysFiniteWhereTheClassesCanBeToldApart) {
  Dataset data;
  data.inputs = Matrix<float>(4, 1);
  for (std::size_t i = 0; i < 4; ++i) data.inputs(i, 0) = static_cast<float>(i) - 1.5F;
  data.labels = {0, 0, 1, 1};
  const std::vector<double> weights = fit_logistic(data, rows_of(data));
  EXPECT_TRUE(std::isfinite(weights[0]) && std::isfinite(weights[1]));
  EXPECT_EQ(logistic_error(weights, data, rows_of(data)), 0);
}

}  // namespace
}  // namespace coppice::reproduce
