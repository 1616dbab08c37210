#include "coppice/model/predict.h"

#include "coppice/data/keep_columns.h"
#include "coppice/network/evaluate.h"

#include "tests/model/models.h"

#include <cmath>
#include <numeric>
#include <random>

#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

using namespace coppice::test;

Dataset random_rows(std::size_t rows, std::size_t cols, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Dataset data;
  data.inputs = Matrix<float>(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (float& v : data.inputs.row(i)) v = normal(random);
  }
  return data;
}

double activate_double(Activation activation, double y) {
  double x = 0;
  with_activation(activation, [&]<Activation A>() { x = activate<A, Arithmetic::native>(y); });
  return x;
}

/// CapNorm inference by the book, in double: y = (w.x - mu) / m, then the nonlinearity; base rate on the
/// scores.
std::vector<double> capnorm_scores(const ModelParts& model, std::span<const float> inputs) {
  std::vector<double> x(inputs.begin(), inputs.end());
  for (std::size_t l = 0; l < model.network.layers.size(); ++l) {
    const Matrix<float>& weights = model.network.layers[l].weights;
    std::vector<double> next;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      double z = 0;
      for (std::size_t k = 0; k < weights.cols(); ++k) z += static_cast<double>(weights(j, k)) * x[k];
      double y = (z - model.statistics.mean[l][j]) / model.statistics.divisor[l][j];
      const Matrix<float>& affine = model.network.layers[l].affine;
      if (!affine.empty()) y = affine(j, 0) * y + affine(j, 1);
      next.push_back(activate_double(model.network.activation_of(l), y));
    }
    x = next;
  }
  for (std::size_t k = 0; k < x.size() && !model.network.offset.empty(); ++k) x[k] += model.network.offset[k];
  return x;
}

RC_GTEST_PROP(Fold, EqualsCapNormInference, ()) {
  const auto depth = *rc::gen::inRange<std::size_t>(1, 5);
  const auto hidden =
      *rc::gen::container<std::vector<std::size_t>>(depth, rc::gen::inRange<std::size_t>(1, 12));
  ModelParts model = small_model(hidden, *rc::gen::arbitrary<unsigned>());
  model.network.activation = *rc::gen::element(Activation::relu, Activation::leaky_relu, Activation::abs,
                                               Activation::tanh, Activation::identity);
  if (*rc::gen::arbitrary<bool>()) model.network.offset.clear();
  if (*rc::gen::arbitrary<bool>()) make_affine(model, *rc::gen::arbitrary<unsigned>());
  const Dataset data = random_rows(*rc::gen::inRange<std::size_t>(1, 40), 5, *rc::gen::arbitrary<unsigned>());
  ThreadPool pool(1);
  const FoldedNet net = fold(model.network, model.statistics);
  const Matrix<float> scores = predict_scores(pool, std::span(&net, 1), data);
  for (const auto& layer : net.statistics.divisor) {
    for (const float divisor : layer) RC_ASSERT(divisor == 1.0F);
  }
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const std::vector<double> expected = capnorm_scores(model, data.inputs.row(i));
    double size = 1;
    for (const double v : expected) size = std::max(size, std::abs(v));
    for (std::size_t k = 0; k < expected.size(); ++k) {
      RC_ASSERT(std::abs(scores(i, k) - expected[k]) <= 2e-5 * size);
    }
  }
}

TEST(Predict, RowsCanBeChosenAndRepeated) {
  const Model model(small_model());
  const Dataset data = random_rows(50, 5, 3);
  ThreadPool pool(2);
  const Matrix<float> all = predict_scores(pool, model.folded(), data);
  const std::vector<std::uint32_t> rows{7, 7, 0, 49};
  const Matrix<float> some = predict_scores(pool, model.folded(), data, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(some(i, k), all(rows[i], k));
  }
}

TEST(Predict, SeveralNetsAreAveraged) {
  ThreadPool pool(2);
  const Dataset data = random_rows(50, 5, 3);
  ModelParts parts = small_model();
  Matrix<float> sum = predict_scores(pool, Model(parts).folded(), data);
  for (const unsigned seed : {2U, 3U}) {
    const ModelParts other = small_model({6}, seed);
    parts.others.push_back({other.network, other.statistics});
    const Matrix<float> scores = predict_scores(pool, Model(other).folded(), data);
    for (std::size_t i = 0; i < 50; ++i) {
      for (std::size_t k = 0; k < 3; ++k) sum(i, k) += scores(i, k);
    }
  }
  const Model model(parts);
  EXPECT_EQ(model.nets(), 3U);
  EXPECT_EQ(model.parameters(),
            Model(small_model()).parameters() + 2 * Model(small_model({6}, 2)).parameters());
  EXPECT_THAT(model.hidden_units(2), ::testing::ElementsAre(6));
  EXPECT_THROW(model.hidden_units(3), Error);
  const Matrix<float> scores = predict_scores(pool, model.folded(), data);
  const std::vector<std::uint32_t> rows{4, 4, 49};
  std::vector<std::uint32_t> net_of(50, 2);
  net_of[49] = 0;
  const Matrix<float> by_one = predict_scores_by(pool, model.folded(), data, rows, net_of);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 50; ++i) EXPECT_NEAR(scores(i, k), sum(i, k) / 3, 1e-5 * std::abs(sum(i, k)));
    for (const std::size_t i : {0, 1, 2}) {
      const FoldedNet& net = model.folded()[net_of[rows[i]]];
      EXPECT_EQ(by_one(i, k), predict_scores(pool, net, data, rows)(i, k));
    }
  }
}

TEST(Predict, ANetWithoutBinsIsAskedAboutTheOtherInputs) {
  ModelParts parts = small_model({4, 3}, 5);
  const Dataset narrow = random_rows(20, 5, 3);
  ThreadPool pool(1);
  const Matrix<float> expected = predict_scores(pool, Model(parts).folded(), narrow);
  parts.plain = true;  // of seven inputs: the age, whether it was missing, two bins, and three of the colour
  parts.encoding.columns[0].edges = {0, 1, 2};
  parts.encoding.offset.resize(7);
  parts.encoding.factor.resize(7);
  EXPECT_THAT(parts.encoding.plain_inputs(), ::testing::ElementsAre(0, 1, 4, 5, 6));
  Dataset wide;
  wide.inputs = Matrix<float>(20, 7);
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t k = 0; k < 7; ++k)
      wide.inputs(i, k) = k == 2 || k == 3 ? 9.0F : narrow.inputs(i, k < 2 ? k : k - 2);
  }
  const Matrix<float> scores = predict_scores(pool, Model(parts).folded(), wide);
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(scores(i, k), expected(i, k), 1e-5 * (1 + std::abs(expected(i, k))));
  }
  const Encoding plain = parts.encoding.without_bins();
  EXPECT_FALSE(plain.has_bins());
  EXPECT_EQ(plain.inputs(), 5U);
  EXPECT_EQ(keep_inputs(wide, parts.encoding.plain_inputs()).inputs, narrow.inputs);
}

TEST(Predict, TheLargestScoreWinsAndTiesGoToTheFirst) {
  const std::vector<float> scores{1, 3, 3, 2};
  EXPECT_EQ(best_class(scores), 1U);
}

RC_GTEST_PROP(Probabilities, SumToOneAndKeepTheOrder, ()) {
  const auto wide =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-100000, 100000)));
  const double temperature = std::exp(*rc::gen::inRange(-60, 60) / 10.0);
  std::vector<float> scores;
  for (const int v : wide) scores.push_back(static_cast<float>(v) / 100);
  const std::vector<double> p = probabilities(scores, temperature);
  RC_ASSERT(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < 1e-12);
  for (std::size_t i = 0; i < p.size(); ++i) {
    RC_ASSERT(p[i] >= 0);
    for (std::size_t k = 0; k < p.size(); ++k) RC_ASSERT(scores[i] < scores[k] || p[i] >= p[k]);
  }
}

TEST(Probabilities, AreTheSoftmaxOfScoresOverTemperature) {
  const std::vector<float> scores{0, 1};
  EXPECT_NEAR(probabilities(scores, 1)[1], 1 / (1 + std::exp(-1.0)), 1e-12);
  EXPECT_NEAR(probabilities(scores, 0.5)[1], 1 / (1 + std::exp(-2.0)), 1e-12);
}

}  // namespace
}  // namespace coppice
