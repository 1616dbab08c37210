#include "coppice/device/rows.h"
#include "coppice/network/resize.h"
#include "coppice/training/units.h"

#include "tests/support.h"
#include "tests/training/problems.h"

#include <cmath>
#include <gmock/gmock.h>
#include <set>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TrainingOptions growing() {
  TrainingOptions options;
  options.batch_size = 10;
  options.patience = 100000;
  options.start_units = 3;
  return options;
}

/// Units born per epoch in both hidden layers together.
std::vector<std::size_t> births(const TrainingOptions& options, std::size_t rows, std::size_t epochs) {
  ThreadPool pool(1);
  const Trainer trainer(pool, options);
  const Dataset data = blank_dataset(rows, 2);
  const NetData net = net_data(data, data, 2);
  NetRun run = trainer.start(0, 1.0, 1, net);
  std::vector<std::size_t> counts;
  std::set<std::uint32_t> ids;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    const EpochReport report = train_epoch(trainer, run, net);
    counts.push_back(report.born.size());
    for (const UnitEvent& event : report.born)
      EXPECT_TRUE(ids.insert(event.unit).second) << "an id came twice";
  }
  return counts;
}

TEST(Growth, OneUnitPerLayerAndEpochByDefault) {
  EXPECT_EQ(births(growing(), 70, 10), std::vector<std::size_t>(10, 2));
}

TEST(Growth, SeveralAdditionsPerEpoch) {
  TrainingOptions options = growing();
  options.additions_per_epoch = 10;
  EXPECT_EQ(births(options, 70, 6), std::vector<std::size_t>(6, 20));   // 7 iterations per epoch
  EXPECT_EQ(births(options, 300, 3), std::vector<std::size_t>(3, 20));  // 30 iterations
  EXPECT_EQ(births(options, 10, 3), std::vector<std::size_t>(3, 20));   // 1 iteration
}

TEST(Growth, NetsThatWouldTakeAllMemoryAreRefused) {
  const Network<float> network = make_network<float>(
      {.inputs = 100, .outputs = 2, .hidden = {30, 20}, .activation = Activation::relu}, 1);
  const double bytes = 16.0 * (100 * 30 + 30 * 20 + 20 * 2);
  EXPECT_NO_THROW(require_room(network, bytes));
  EXPECT_THAT(test::message_of([&] { require_room(network, bytes - 1); }),
              testing::AllOf(testing::HasSubstr("30-20 hidden units"), testing::HasSubstr("`lambda`")));
}

/// 49 * (1 / 49) is below 1 in floating point: the addition must not slip into the next epoch.
TEST(Growth, RoundingDoesNotDelayAnAddition) {
  TrainingOptions options = growing();
  options.unit_lifetime = 3;
  EXPECT_EQ(births(options, 490, 20), std::vector<std::size_t>(20, 2));
}

TEST(Growth, AnAdditionEverySecondEpoch) {
  TrainingOptions options = growing();
  options.additions_per_epoch = 0.5;
  EXPECT_EQ(births(options, 70, 6), (std::vector<std::size_t>{0, 2, 0, 2, 0, 2}));
}

TEST(Growth, SeveralUnitsPerAdditionOrNone) {
  TrainingOptions options = growing();
  options.add_units = 2;
  EXPECT_EQ(births(options, 70, 5), std::vector<std::size_t>(5, 4));
  options.add_units = 0;
  EXPECT_EQ(births(options, 70, 5), std::vector<std::size_t>(5, 0));
}

TEST(Growth, APartOfAUnitIsPoisson) {
  TrainingOptions options = growing();
  options.add_units = 0.7;
  options.unit_lifetime = 3;  // keeps the net small
  const std::vector<std::size_t> counts = births(options, 10, 2000);
  double mean = 0;
  double square = 0;
  for (const std::size_t count : counts) {
    mean += static_cast<double>(count) / 2000;
    square += static_cast<double>(count * count) / 2000;
  }
  EXPECT_NEAR(mean, 1.4, 5 * std::sqrt(1.4 / 2000));
  EXPECT_NEAR(square - mean * mean, 1.4, 0.25);
}

TEST(Growth, AdditionsAtTheSameIterationAreDrawnApart) {
  TrainingOptions options = growing();
  options.add_units = 0.7;
  options.unit_lifetime = 3;
  options.hidden_layers = 1;
  options.additions_per_epoch = 2;  // both after the only iteration
  const std::vector<std::size_t> counts = births(options, 10, 300);
  const auto odd = std::ranges::count_if(counts, [](std::size_t count) { return count % 2 == 1; });
  EXPECT_GT(odd, 75);
}

TEST(Growth, NothingIsAddedAfterTheGrowPhase) {
  ThreadPool pool(1);
  TrainingOptions options = growing();
  options.patience = 3;
  const Trainer trainer(pool, options);
  const Dataset data = random_dataset(50, 2, 2, 1);
  const NetData net = net_data(data, data, 2);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  bool seen = false;
  for (int epoch = 0; epoch < 300 && run.running(); ++epoch) {
    const EpochReport report = train_epoch(trainer, run, net);
    EXPECT_EQ(report.born.empty(), report.phase != Phase::grow);
    EXPECT_EQ(report.lambda, report.phase <= Phase::settle ? 1e-3 : 0.0);
    seen = seen || report.phase == Phase::polish;
  }
  EXPECT_TRUE(seen);
}

TEST(Growth, NewUnitsHaveKinksNamedBySeedLayerAndId) {
  ThreadPool pool(1);
  TrainingOptions options = growing();
  options.kinks = 0.5;
  options.batch_size = 100;
  options.add_units = 3;
  const Trainer trainer(pool, options);
  const Dataset data = random_dataset(60, 5, 3, 1);
  const NetData net = net_data(data, data, 3);
  NetRun run = trainer.start(0, 1e-4, 11, net);
  for (int epoch = 0; epoch < 5; ++epoch) train_epoch(trainer, run, net);
  for (std::size_t l = 0; l < 2; ++l) {
    const Layer<float>& layer = run.current.network.layers[l];
    ASSERT_GT(layer.units.size(), 10U);
    ASSERT_EQ(layer.kinks.size(), layer.units.size());
    for (std::size_t j = 0; j < layer.units.size(); ++j)
      EXPECT_EQ(layer.kinks[j], static_cast<float>(draw_kink(0.5, 11, l, layer.units[j])));
  }
}

TEST(Growth, NewUnitsHaveLengthOneNoFanOutNoStateAndChangeNothing) {
  ThreadPool pool(1);
  TrainingOptions options = growing();
  options.batch_size = 100;  // one iteration, at whose end the units come
  options.add_units = 300;
  const Trainer trainer(pool, options);
  const Dataset data = random_dataset(60, 5, 3, 1);
  const NetData net = net_data(data, data, 3);
  NetRun run = trainer.start(0, 1e-4, 1, net);
  const EpochReport report = train_epoch(trainer, run, net);
  ASSERT_EQ(report.born.size(), 600U);
  ASSERT_TRUE(report.died.empty());
  Network<float> network = run.current.network;
  const Matrix<float> with = training_scores(network, data);
  for (std::size_t l = 0; l < 2; ++l) {
    const Matrix<float>& weights = network.layers[l].weights;
    ASSERT_EQ(weights.rows(), 303U);
    std::vector<double> lengths(303);
    row_lengths(weights.view(), std::span(lengths));
    double mean_square = 0;
    for (std::size_t j = 3; j < 303; ++j) {
      mean_square += lengths[j] * lengths[j] / 300;
      EXPECT_GT(lengths[j], 0);
      EXPECT_EQ(run.current.optimizer.layers[l].average[j], 0);
      EXPECT_EQ(run.current.optimizer.layers[l].capacity[j], 0);
      const Matrix<float>& above = network.layers[l + 1].weights;
      for (std::size_t k = 0; k < above.rows(); ++k) EXPECT_EQ(above(k, j), 0.0F);
    }
    EXPECT_NEAR(mean_square, 1, 5 * std::sqrt(2.0 / 3 / 300));
  }
  for (std::size_t l = 0; l < 2; ++l) resize(network, {.layer = l, .keep = {0, 1, 2}, .added = {}});
  EXPECT_LT(largest_difference(training_scores(network, data), with), 1e-5);
}

TEST(Death, NothingShrinksOnceLambdaIsZero) {
  ThreadPool pool(1);
  TrainingOptions options = growing();
  options.patience = 3;
  const Trainer trainer(pool, options);
  const Dataset data = blank_dataset(50, 2);
  const NetData net = net_data(data, data, 2);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  bool polished = false;
  for (int epoch = 0; epoch < 200 && run.running(); ++epoch) {
    const Network<float> before = run.current.network;
    const EpochReport report = train_epoch(trainer, run, net);
    if (report.phase < Phase::polish) continue;
    polished = true;
    EXPECT_TRUE(report.died.empty());
    if (!run.running()) break;  // at the very end a net that learned nothing is reduced to the base rate
    EXPECT_EQ(run.current.network, before);
  }
  EXPECT_TRUE(polished);
}

/// Without a gradient a unit loses 1 / unit_lifetime of length 1 per epoch: it dies when its length is used
/// up.
TEST(Death, AUselessUnitLivesAsLongAsItsLengthLasts) {
  ThreadPool pool(1);
  TrainingOptions options = growing();
  options.add_units = 0;
  options.start_units = 30;
  options.unit_lifetime = 20;
  const Trainer trainer(pool, options);
  const Dataset data = blank_dataset(47, 10);
  const NetData net = net_data(data, data, 2);
  for (const double lambda : {1.0, 1e-5}) {
    NetRun run = trainer.start(0, lambda, 1, net);
    std::vector<std::vector<double>> lengths(2, std::vector<double>(30));
    for (std::size_t l = 0; l < 2; ++l) {
      row_lengths(std::as_const(run.current.network).layers[l].weights.view(), std::span(lengths[l]));
    }
    std::size_t deaths = 0;
    for (std::size_t epoch = 1; epoch <= 100; ++epoch) {
      for (const UnitEvent& event : train_epoch(trainer, run, net).died) {
        // A unit of the second layer loses weights as units below it die, so it may go earlier.
        const double expected = 20 * lengths[event.layer][event.unit];
        EXPECT_LT(static_cast<double>(epoch), expected + 1.01);
        if (event.layer == 0) {
          EXPECT_GT(static_cast<double>(epoch), expected - 0.01);
        }
        ++deaths;
      }
    }
    EXPECT_EQ(deaths, 58U);
    EXPECT_EQ(run.current.network.hidden_units(), (std::vector<std::size_t>{1, 1}));
    EXPECT_EQ(run.current.optimizer.layers[0].average.size(), 1U);
    EXPECT_EQ(run.current.network.layers[1].weights.cols(), 1U);
  }
}

}  // namespace
}  // namespace coppice
