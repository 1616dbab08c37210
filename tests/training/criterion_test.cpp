#include "coppice/training/criterion.h"

#include "tests/training/problems.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(Criterion, EqualErrorsGoByLogLoss) {
  EXPECT_LT(with_ties_broken(0.25, 0.5), with_ties_broken(0.25, 0.6));
  EXPECT_LT(with_ties_broken(0.25, 0.5), with_ties_broken(0.25, 0.5002));
  EXPECT_EQ(with_ties_broken(0.25, 0.50001), with_ties_broken(0.25, 0.50002)) << "last digits do not count";
  EXPECT_LT(with_ties_broken(0.25, 1e3), with_ties_broken(0.25 + 1e-7, 1e-3)) << "one row of ten million";
  EXPECT_EQ(with_ties_broken(0, 0), 0) << "nothing left to improve";
  EXPECT_TRUE(std::isnan(with_ties_broken(std::nan(""), 0.5)));
  EXPECT_TRUE(std::isnan(with_ties_broken(0.25, std::nan(""))));
}

TEST(Criterion, OnlyMetricsOfClassesThatKnowFewValuesAreCoarse) {
  EXPECT_TRUE(is_coarse(Metric::error, 2));
  EXPECT_TRUE(is_coarse(Metric::f1, 3));
  EXPECT_FALSE(is_coarse(Metric::log_loss, 2));
  EXPECT_FALSE(is_coarse(Metric::error, 0)) << "of numbers";
}

NetState validated(Metric metric, bool break_ties) {
  Dataset data = random_dataset(4, 1, 2, 1);
  data.labels = {0, 1, 1, 0};
  Matrix<float> scores(4, 2);
  for (std::size_t i = 0; i < 4; ++i) scores(i, 1) = static_cast<float>(i) - 1.5F;
  TrainingOptions options;
  options.metric = metric;
  options.break_ties = break_ties;
  NetState state;
  set_validation(state, {.loss = 2, .wrong = 1}, scores, net_data(data, data, 2), options);
  return state;
}

TEST(Criterion, IsTheMetricAndTheErrorStaysTheError) {
  EXPECT_EQ(validated(Metric::log_loss, true).criterion, 0.5);
  EXPECT_EQ(validated(Metric::error, false).criterion, 0.25);
  EXPECT_EQ(validated(Metric::error, true).criterion, with_ties_broken(0.25, 0.5));
  EXPECT_EQ(validated(Metric::auc, false).criterion, 0.5) << "two pairs of four";
  EXPECT_EQ(validated(Metric::balanced_error, true).criterion, with_ties_broken(0.5, 0.5));
  for (const Metric metric : {Metric::error, Metric::log_loss, Metric::auc, Metric::f1})
    EXPECT_EQ(validated(metric, true).validation_error, 0.25);
}

TEST(Criterion, FourDigitsOfAnAreaCount) {
  constexpr std::size_t rows = 600;
  Dataset data = random_dataset(rows, 1, 2, 1);
  Matrix<float> scores(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    data.labels[i] = i % 2;
    scores(i, 1) = (i % 2 == 0 ? -1.0F : 1.0F) * static_cast<float>(i + 1);
  }
  scores(0, 1) = 3;  // above one of the other class: one pair of 90,000 is wrong
  TrainingOptions options;
  options.metric = Metric::auc;
  options.break_ties = true;
  NetState state;
  set_validation(state, {.loss = 0.5 * rows, .wrong = 1}, scores, net_data(data, data, 2), options);
  EXPECT_EQ(state.criterion, with_ties_broken(0, 0.5));
  options.break_ties = false;
  set_validation(state, {.loss = 0.5 * rows, .wrong = 1}, scores, net_data(data, data, 2), options);
  EXPECT_NEAR(state.criterion, 1.0 / 90'000, 1e-12);
}

/// One class is rare: its rows are found by the metric that looks at them.
TEST(Criterion, DecidesWhatANetIsTrainedFor) {
  Dataset data = random_dataset(800, 3, 2, 1);
  for (std::size_t i = 0; i < data.rows(); ++i) data.labels[i] = data.inputs(i, 0) > 2 && i % 3 != 0 ? 1 : 0;
  Dataset validation = random_dataset(400, 3, 2, 2);
  for (std::size_t i = 0; i < validation.rows(); ++i)
    validation.labels[i] = validation.inputs(i, 0) > 2 && i % 3 != 0 ? 1 : 0;
  const NetData net = net_data(data, validation, 2);
  for (const Metric metric : {Metric::auc, Metric::balanced_error, Metric::f1}) {
    ThreadPool pool(1);
    TrainingOptions options;
    options.metric = metric;
    options.break_ties = true;
    options.angle = 0.02;
    options.batch_size = 100;
    options.patience = 5;
    const Trainer trainer(pool, options);
    CpuPopulation population(pool, trainer, {net}, {trainer.start(0, 1e-3, 1, net)});
    Recorder recorder;
    population.train(recorder, never);
    double lowest = INFINITY;
    for (const EpochReport& report : recorder.reports) lowest = std::min(lowest, report.criterion);
    EXPECT_LT(population.runs()[0].kept.criterion, metric == Metric::f1 ? 0.4 : 0.2) << name_of(metric);
    EXPECT_NEAR(population.runs()[0].kept.criterion, lowest, 0.05) << name_of(metric);
  }
}

}  // namespace
}  // namespace coppice
