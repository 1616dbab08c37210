#include "coppice/analysis/temperature.h"

#include "coppice/model/predict.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// Labels drawn from softmax(scores / temperature).
struct Drawn {
  Matrix<float> scores;
  std::vector<std::uint32_t> labels;

  Drawn(std::size_t rows, double temperature) : scores(rows, 3) {
    std::mt19937 random(9);
    std::normal_distribution<float> normal;
    for (std::size_t i = 0; i < rows; ++i) {
      for (float& v : scores.row(i)) v = normal(random);
      double u = static_cast<double>(random()) / 4294967296.0;
      const std::vector<double> p = probabilities(scores.row(i), temperature);
      std::uint32_t label = 0;
      while (label < 2 && u >= p[label]) u -= p[label++];
      labels.push_back(label);
    }
  }
};

TEST(Temperature, AKnownOneIsFoundAgain) {
  for (const double temperature : {0.2, 0.5, 1.0, 3.0}) {
    const Drawn drawn(20000, temperature);
    EXPECT_NEAR(fit_temperature(drawn.scores, drawn.labels) / temperature, 1, 0.07);
  }
}

TEST(Temperature, IsFiniteWhenEveryRowIsRightOrWrongOrUnknown) {
  const Drawn drawn(50, 1);
  std::vector<std::uint32_t> right;
  std::vector<std::uint32_t> wrong;
  for (std::size_t i = 0; i < 50; ++i) {
    right.push_back(static_cast<std::uint32_t>(best_class(drawn.scores.row(i))));
    wrong.push_back((right.back() + 1) % 3);
  }
  const double sharp = fit_temperature(drawn.scores, right);
  EXPECT_GT(sharp, 1e-3 * 1.01) << "at the limit of the search";
  EXPECT_LT(sharp, 1);
  EXPECT_GT(fit_temperature(drawn.scores, wrong), 1);
  for (const auto& labels : {right, wrong, std::vector<std::uint32_t>(50, 3), std::vector<std::uint32_t>()}) {
    const Matrix<float> none(0, 3);
    const double t = fit_temperature(labels.empty() ? none : drawn.scores, labels);
    EXPECT_TRUE(std::isfinite(t) && t > 0) << t;
  }
}

TEST(Temperature, UnknownLabelsAreLeftOut) {
  Drawn drawn(200, 0.5);
  const double all = fit_temperature(drawn.scores, drawn.labels);
  Matrix<float> more(400, 3);
  std::vector<std::uint32_t> labels = drawn.labels;
  for (std::size_t i = 0; i < 400; ++i) std::ranges::copy(drawn.scores.row(i % 200), more.row(i).begin());
  labels.resize(400, 3);
  EXPECT_NEAR(fit_temperature(more, labels), all, 0.05 * all);
}

double log_likelihood(const Matrix<float>& scores, const std::vector<std::uint32_t>& labels,
                      double temperature) {
  const double smoothing = 1.0 / (static_cast<double>(labels.size()) + 1);
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::vector<double> p = probabilities(scores.row(i), temperature);
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double wanted = smoothing / static_cast<double>(p.size()) + (k == labels[i] ? 1 - smoothing : 0);
      sum += wanted * std::log(p[k]);
    }
  }
  return sum;
}

TEST(Temperature, NoNeighbourMakesTheLabelsMoreLikely) {
  for (const double temperature : {0.01, 0.3, 1.0, 40.0}) {
    for (const float scale : {1e-3F, 1.0F, 300.0F}) {
      Drawn drawn(300, temperature);
      for (std::size_t i = 0; i < 300; ++i) {
        for (float& score : drawn.scores.row(i)) score *= scale;
      }
      const double found = fit_temperature(drawn.scores, drawn.labels);
      const double most = log_likelihood(drawn.scores, drawn.labels, found);
      for (const double factor : {0.999, 1.001, 0.9, 1.1}) {
        const double other = std::clamp(found * factor, 1e-3, 1e3);  // where the search ends
        EXPECT_GE(most, log_likelihood(drawn.scores, drawn.labels, other) - 1e-9 * std::abs(most))
            << "temperature " << temperature << " scale " << scale << " found " << found << " by " << factor;
      }
    }
  }
}

}  // namespace
}  // namespace coppice
