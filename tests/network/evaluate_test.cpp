#include "coppice/network/evaluate.h"

#include "tests/network/fixture.h"

#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

template <class T>
Matrix<T> scores_of(const Network<T>& network, const Statistics<T>& statistics, const Dataset& data,
                    std::span<const std::uint32_t> rows, std::size_t threads = 1) {
  ThreadPool pool(threads);
  Workspace<T> workspace;
  Matrix<T> all(network.outputs(), rows.size());
  std::size_t done = 0;
  for_scores<T>(pool, network, statistics, data, rows, workspace,
                [&](View<const T> scores, std::span<const std::uint32_t> chunk) {
                  EXPECT_EQ(scores.cols, chunk.size());
                  for (std::size_t i = 0; i < chunk.size(); ++i) {
                    EXPECT_EQ(chunk[i], rows[done + i]);
                    for (std::size_t k = 0; k < scores.rows; ++k) all(k, done + i) = scores(k, i);
                  }
                  done += chunk.size();
                });
  EXPECT_EQ(done, rows.size());
  return all;
}

TEST(Evaluate, WithStatisticsOfTheBatchEqualsTrainingOnTheBatch) {
  EXPECT_TRUE(rc::check("statistics over exactly the batch", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    const Activation activation =
        *rc::gen::elementOf(std::vector<Activation>(std::begin(activations), std::end(activations)));
    const auto classes = *rc::gen::elementOf(std::vector<std::size_t>{0, 2, 5});
    const Dataset data = random_dataset(*rc::gen::inRange<std::size_t>(2, 60), 4, classes, seed);
    Network<double> network = uneven_network<double>({.inputs = 4,
                                                      .outputs = std::max<std::size_t>(1, classes),
                                                      .hidden = {7, 3},
                                                      .activation = activation,
                                                      .output_capnorm = *rc::gen::arbitrary<bool>(),
                                                      .kinks = *rc::gen::elementOf(std::vector{0.0, 1.0})},
                                                     seed);
    for (std::size_t k = 0; k < classes; ++k) network.offset.push_back(-0.3 * static_cast<double>(k));
    ThreadPool pool(1);
    Workspace<double> workspace;
    const Statistics<double> statistics = measure_statistics(pool, network, data, all_rows(data), workspace);
    const Matrix<double> expected = training_scores(network, data);
    RC_ASSERT(largest_difference(scores_of(network, statistics, data, all_rows(data)), expected) < 1e-12);
    Workspace<double> batch = batch_of<double>(data);
    const LossSum trained = compute_loss(pool, network, batch);
    const LossSum evaluated = evaluate(pool, network, statistics, data, all_rows(data), workspace);
    RC_ASSERT(std::abs(trained.loss - evaluated.loss) < 1e-10 * (1 + trained.loss));
    RC_ASSERT(trained.wrong == evaluated.wrong);
  }));
}

TEST(Evaluate, InChunksEqualsEachRowAlone) {
  const Dataset data = random_dataset(2345, 6, 3, 1);
  const Network<double> network = uneven_network<double>({.inputs = 6, .outputs = 3, .hidden = {9, 8}}, 1);
  ThreadPool pool(1);
  Workspace<double> workspace;
  const std::vector<std::uint32_t> rows = all_rows(data);
  const Statistics<double> statistics =
      measure_statistics(pool, network, data, std::span(rows).first(100), workspace);
  const Matrix<double> together = scores_of(network, statistics, data, rows);
  LossSum sum;
  for (const std::uint32_t row : rows) {
    const std::uint32_t alone[] = {row};
    sum += evaluate(pool, network, statistics, data, alone, workspace);
    if (row % 50 != 0) continue;
    const Matrix<double> scores = scores_of(network, statistics, data, alone);
    for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(scores(k, 0), together(k, row), 1e-12);
  }
  const LossSum whole = evaluate(pool, network, statistics, data, rows, workspace);
  EXPECT_NEAR(whole.loss, sum.loss, 1e-9);
  EXPECT_EQ(whole.wrong, sum.wrong);
}

TEST(Evaluate, StatisticsInChunksAreThoseOfOneBatch) {
  const Dataset data = random_dataset(2345, 6, 3, 2);
  const Network<double> network = uneven_network<double>({.inputs = 6, .outputs = 3, .hidden = {40, 8}}, 2);
  ThreadPool pool(1);
  Workspace<double> workspace;
  const Statistics<double> statistics = measure_statistics(pool, network, data, all_rows(data), workspace);
  Workspace<double> batch = batch_of<double>(data);
  compute_loss(pool, network, batch);
  for (std::size_t l = 0; l < 3; ++l) {
    for (std::size_t j = 0; j < batch.layers[l].mean.size(); ++j) {
      EXPECT_NEAR(statistics.mean[l][j], batch.layers[l].mean[j], 1e-12);
      EXPECT_NEAR(statistics.divisor[l][j], batch.layers[l].divisor[j], 1e-12);
    }
  }
}

TEST(Evaluate, IsTheSameToTheBitForAnyNumberOfThreads) {
  const Dataset data = random_dataset(1500, 11, 4, 3);
  const Network<float> network = uneven_network<float>({.inputs = 11, .outputs = 4, .hidden = {70, 40}}, 3);
  const auto run = [&](std::size_t threads) {
    ThreadPool pool(threads);
    Workspace<float> workspace;
    const Statistics<float> statistics = measure_statistics(pool, network, data, all_rows(data), workspace);
    const LossSum sum = evaluate(pool, network, statistics, data, all_rows(data), workspace);
    return std::tuple(statistics, sum.loss, sum.wrong);
  };
  const auto expected = run(1);
  for (const std::size_t threads : {2U, 3U, 7U}) EXPECT_EQ(run(threads), expected) << threads;
}

TEST(Evaluate, FoldingTheStatisticsIntoWeightAndBiasGivesTheSameScores) {
  const Dataset data = random_dataset(64, 5, 3, 4);
  const Network<double> network = uneven_network<double>({.inputs = 5, .outputs = 3, .hidden = {7, 6}}, 4);
  ThreadPool pool(1);
  Workspace<double> workspace;
  const Statistics<double> s = measure_statistics(pool, network, data, all_rows(data), workspace);
  const Matrix<double> scores = scores_of(network, s, data, all_rows(data));
  for (std::size_t r = 0; r < data.rows(); ++r) {
    std::vector<double> x(data.inputs.row(r).begin(), data.inputs.row(r).end());
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      std::vector<double> next;
      for (std::size_t j = 0; j < network.layers[l].weights.rows(); ++j) {
        double y = -s.mean[l][j] / s.divisor[l][j];
        for (std::size_t i = 0; i < x.size(); ++i)
          y += network.layers[l].weights(j, i) / s.divisor[l][j] * x[i];
        next.push_back(l + 1 < network.layers.size() ? std::max(0.0, y) : y);
      }
      x = std::move(next);
    }
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(scores(k, r), x[k], 1e-12);
  }
}

}  // namespace
}  // namespace coppice
