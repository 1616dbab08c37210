#include "coppice/model/predict.h"

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
  with_activation(activation, [&]<Activation A>() { x = activate<A, double>(y); });
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
  const Matrix<float> scores = predict_scores(pool, net, data);
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
