// Rows with weights in whole trainings.
#include "coppice/training/base_rate.h"
#include "coppice/training/lambda_scale.h"

#include "tests/network/weighted_rows.h"
#include "tests/training/problems.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using test::repeated;
using test::weighted;

NetRun trained(const TrainingOptions& options, const NetData& net, std::size_t epochs) {
  ThreadPool pool(1);
  const Trainer trainer(pool, options);
  NetRun run = trainer.start(0, 3e-3, 1, net);
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) train_epoch(trainer, run, net);
  return run;
}

/// With batches of all rows there is no chance in what a batch holds.
TrainingOptions whole_batches(Metric metric) {
  TrainingOptions options;
  options.batch_size = 100000;
  options.angle = 0.05;
  options.metric = metric;
  return options;
}

TEST(WeightedTraining, WholeWeightsAreRowsThatStandThereSoOften) {
  for (const Metric metric : {Metric::log_loss, Metric::error, Metric::auc, Metric::balanced_error,
                              Metric::f1, Metric::rmse, Metric::mae}) {
    const bool numbers = metric == Metric::rmse || metric == Metric::mae;
    const std::size_t classes = numbers ? 0 : 3;
    Dataset data = weighted(numbers ? random_dataset(120, 5, 0, 1) : learnable_dataset());
    const Dataset validation = weighted(random_dataset(60, 5, classes, 2));
    const Dataset copies = repeated(data);
    const Dataset validation_copies = repeated(validation);
    const TrainingOptions options = whole_batches(metric);
    const NetData net = net_data(data, validation, classes);
    const NetData net_of_copies = net_data(copies, validation_copies, classes);
    EXPECT_NEAR(base_criterion(net, metric), base_criterion(net_of_copies, metric), 1e-9);
    const NetRun own = trained(options, net, 12);
    const NetRun theirs = trained(options, net_of_copies, 12);
    EXPECT_NEAR(own.current.train_loss, theirs.current.train_loss, 1e-4 * theirs.current.train_loss);
    EXPECT_NEAR(own.current.criterion, theirs.current.criterion, 1e-3) << name_of(metric);
    EXPECT_NEAR(own.current.validation_error, theirs.current.validation_error, 1e-3);
    ASSERT_EQ(own.current.network.hidden_units(), theirs.current.network.hidden_units());
    for (std::size_t l = 0; l < own.current.network.layers.size(); ++l) {
      EXPECT_LT(
          largest_difference(own.current.network.layers[l].weights, theirs.current.network.layers[l].weights),
          1e-3)
          << name_of(metric) << ", layer " << l;
    }
    if (!numbers) {
      for (std::size_t k = 0; k < classes; ++k)
        EXPECT_NEAR(own.current.network.offset[k], theirs.current.network.offset[k], 1e-6);
    }
    ThreadPool pool(1);
    EXPECT_NEAR(largest_lambda(pool, options, 1, net) / largest_lambda(pool, options, 1, net_of_copies), 1,
                1e-4);
  }
}

TEST(WeightedTraining, OnlyRatiosOfWeightsCount) {
  Dataset data = weighted(learnable_dataset());
  const Dataset validation = learnable_dataset();
  const NetRun once = trained(whole_batches(Metric::log_loss), net_data(data, validation, 3), 6);
  for (float& weight : data.weights) weight *= 8;  // which rounds nothing
  const NetRun eight = trained(whole_batches(Metric::log_loss), net_data(data, validation, 3), 6);
  EXPECT_EQ(once.current, eight.current);
}

TEST(WeightedTraining, BaseRatesAreByWeight) {
  Dataset data = random_dataset(4, 1, 2, 1);
  data.labels = {0, 0, 0, 1};
  data.weights = {1, 1, 2, 4};
  const NetData net = net_data(data, data, 2);
  EXPECT_NEAR(base_rate(net)[1], std::log(0.5), 1e-6);
  EXPECT_DOUBLE_EQ(base_criterion(net, Metric::error), 0.5);
  EXPECT_NEAR(base_criterion(net, Metric::log_loss), std::log(2.0), 1e-6);
  EXPECT_DOUBLE_EQ(base_criterion(net, Metric::auc), 0.5) << "all scores tie";
  EXPECT_DOUBLE_EQ(base_criterion(net, Metric::balanced_error), 0.5);
  EXPECT_DOUBLE_EQ(base_criterion(net, Metric::f1), 1) << "the second class is never answered";
  Dataset numbers = random_dataset(3, 1, 0, 1);
  numbers.targets = {1, -1, 2};
  numbers.weights = {1, 1, 2};
  EXPECT_DOUBLE_EQ(base_criterion(net_data(numbers, numbers, 0), Metric::rmse), 10.0 / 4);
  EXPECT_DOUBLE_EQ(base_criterion(net_data(numbers, numbers, 0), Metric::mae), 6.0 / 4);
}

}  // namespace
}  // namespace coppice
