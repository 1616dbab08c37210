// Rows with weights: gradients against differences, and whole weights against rows that stand there so often.
#include "coppice/network/evaluate.h"

#include "tests/network/gradient_check.h"
#include "tests/network/weighted_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice {
namespace {

using test::repeated;
using test::weighted;

TEST(Weights, GradientAgreesWithFiniteDifferences) {
  GradientCheck total;
  std::size_t samples = 4;
  for (const Norm norm : {Norm::capnorm, Norm::batchnorm, Norm::none}) {
    for (const Activation activation : activations) {
      for (const std::size_t classes : {0U, 3U}) {
        samples = samples % 29 + 5;
        Dataset data = random_dataset(samples, 3, classes, samples);
        for (std::size_t i = 0; i < samples; ++i)
          data.weights.push_back(0.1F + 0.7F * static_cast<float>(i % 5));
        const Network<double> network = uneven_network<double>({.inputs = 3,
                                                                .outputs = std::max<std::size_t>(1, classes),
                                                                .hidden = {4, 3},
                                                                .activation = activation,
                                                                .norm = norm},
                                                               samples);
        const GradientCheck check = check_gradient(
            network, data,
            fmt::format("norm {}, activation {}, {} classes", name_of(norm), name_of(activation), classes));
        total.checked += check.checked;
        total.skipped += check.skipped;
      }
    }
  }
  EXPECT_GT(total.checked, 700U);
  EXPECT_LT(total.skipped, total.checked / 20);
}

TEST(Weights, WholeOnesAreRowsThatStandThereSoOften) {
  ThreadPool pool(2);
  for (const Norm norm : {Norm::capnorm, Norm::batchnorm}) {
    for (const std::size_t classes : {0U, 3U}) {
      const Dataset data = weighted(random_dataset(200, 4, classes, 7));
      const Dataset copies = repeated(data);
      Network<double> network = uneven_network<double>({.inputs = 4,
                                                        .outputs = std::max<std::size_t>(1, classes),
                                                        .hidden = {9, 5},
                                                        .activation = Activation::relu,
                                                        .norm = norm},
                                                       3);
      for (std::size_t k = 0; k < classes; ++k) network.offset.push_back(-0.3 * static_cast<double>(k));
      Workspace<double> a = batch_of<double>(data);
      Workspace<double> b = batch_of<double>(copies);
      const LossSum one = compute_gradient(pool, network, 0.3, a);
      const LossSum many = compute_gradient(pool, network, 0.3, b);
      EXPECT_NEAR(one.loss, many.loss, 1e-9 * many.loss);
      EXPECT_NEAR(one.wrong, many.wrong, 1e-9);
      for (std::size_t l = 0; l < network.layers.size(); ++l)
        EXPECT_LT(largest_difference(a.layers[l].weight_gradient, b.layers[l].weight_gradient), 1e-10);
      const Statistics<double> own = measure_statistics(pool, network, data, all_rows(data), a);
      const Statistics<double> theirs = measure_statistics(pool, network, copies, all_rows(copies), b);
      for (std::size_t l = 0; l < network.layers.size(); ++l) {
        for (std::size_t j = 0; j < own.mean[l].size(); ++j) {
          EXPECT_NEAR(own.mean[l][j], theirs.mean[l][j], 1e-10);
          EXPECT_NEAR(own.divisor[l][j], theirs.divisor[l][j], 1e-10);
        }
      }
      Matrix<double> scores;
      const LossSum first = evaluate(pool, network, own, data, all_rows(data), a, &scores);
      const LossSum second = evaluate(pool, network, theirs, copies, all_rows(copies), b);
      EXPECT_NEAR(first.loss, second.loss, 1e-9 * second.loss);
      EXPECT_NEAR(first.wrong, second.wrong, 1e-9);
      EXPECT_EQ(scores.rows(), 200U);
    }
  }
}

TEST(Weights, ScoresComeWithTheBaseRate) {
  ThreadPool pool(1);
  const Dataset data = random_dataset(1003, 4, 2, 7);  // more than a chunk
  Network<double> network = uneven_network<double>({.inputs = 4, .outputs = 2, .hidden = {3}}, 3);
  network.offset = {-1, 2};
  Workspace<double> workspace;
  const Statistics<double> fixed = measure_statistics(pool, network, data, all_rows(data), workspace);
  Matrix<double> scores;
  const LossSum sum = evaluate(pool, network, fixed, data, all_rows(data), workspace, &scores);
  double loss = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const double own = scores(i, data.labels[i]);
    loss += std::log(std::exp(scores(i, 0) - own) + std::exp(scores(i, 1) - own));
  }
  EXPECT_NEAR(loss, sum.loss, 1e-9 * sum.loss);
}

}  // namespace
}  // namespace coppice
