#include "coppice/training/lambda_scale.h"

#include "tests/training/problems.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

Dataset linear_dataset(std::size_t rows) {
  Dataset data = random_dataset(rows, 3, 2, 4);
  for (std::size_t i = 0; i < rows; ++i) data.labels[i] = data.inputs(i, 0) > 0 ? 1 : 0;
  return data;
}

/// Length of the longest output fan-in after one step over all rows, begun at zero output fan-ins.
double after_one_step(const Dataset& data, double lambda) {
  ThreadPool pool(1);
  TrainingOptions options;
  options.batch_size = data.rows();
  options.add_units = 0;
  const Trainer trainer(pool, options);
  const NetData rows = net_data(data, data, 2);
  NetRun run = trainer.start(0, lambda, 7, rows);
  Matrix<float>& output = run.current.network.layers.back().weights;
  for (std::size_t j = 0; j < output.rows(); ++j) std::ranges::fill(output.row(j), 0.0F);
  Workspace<float> workspace;
  EpochReport report;
  trainer.train_steps(run, rows, workspace, never, report);
  const Matrix<float>& moved = run.current.network.layers.back().weights;
  std::vector<double> lengths(moved.rows());
  row_lengths(moved.view(), std::span(lengths));
  return *std::ranges::max_element(lengths);
}

TEST(LargestLambda, AboveItOutputsStayAtZeroBelowItTheyDoNot) {
  const Dataset data = linear_dataset(500);
  ThreadPool pool(1);
  const double largest = largest_lambda(pool, TrainingOptions(), 7, net_data(data, data, 2));
  EXPECT_GT(largest, 0);
  EXPECT_EQ(after_one_step(data, 1.01 * largest), 0);
  EXPECT_GT(after_one_step(data, 0.99 * largest), 0);
}

TEST(LargestLambda, IsTheSameForTheOppositeTarget) {
  ThreadPool pool(1);
  Dataset data = random_dataset(300, 3, 0, 4);
  for (std::size_t i = 0; i < 300; ++i) data.targets[i] = std::abs(data.inputs(i, 0));
  Dataset opposite = data;
  for (float& target : opposite.targets) target = -target;
  for (const Fan fan : {Fan::fan_in, Fan::fan_out}) {
    for (const std::size_t power : {1U, 2U}) {
      TrainingOptions options;
      options.regularizer = {.fan = fan, .power = power, .layer_factors = {}};
      const double largest = largest_lambda(pool, options, 7, net_data(data, data, 0));
      EXPECT_GT(largest, 0);
      EXPECT_NEAR(largest_lambda(pool, options, 7, net_data(opposite, opposite, 0)), largest, 1e-5 * largest);
    }
  }
}

TEST(LargestLambda, IsSmallWhereThereIsLittleToLearn) {
  ThreadPool pool(2);
  const Dataset easy = linear_dataset(2000);
  const Dataset noise = random_dataset(2000, 3, 2, 4);
  const double of_easy = largest_lambda(pool, TrainingOptions(), 1, net_data(easy, easy, 2));
  const double of_noise = largest_lambda(pool, TrainingOptions(), 1, net_data(noise, noise, 2));
  EXPECT_GT(of_easy, 3 * of_noise);
  TrainingOptions wide;
  wide.start_units = 80;
  EXPECT_EQ(largest_lambda(pool, wide, 1, net_data(easy, easy, 2)), of_easy)
      << "does not depend on how large nets start";
}

}  // namespace
}  // namespace coppice
