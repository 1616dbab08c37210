// The whole protocol on small problems: does it learn, and find a sensible size?
#include "coppice/training/base_rate.h"

#include "tests/training/problems.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// A batch is a sixth of these small sets, not a fiftieth as in the paper: gradients, and with them angles,
/// are larger, so the step is smaller.
TrainingOptions small_data() {
  TrainingOptions options;
  options.angular_step = 4;
  options.batch_size = 100;
  options.patience = 30;
  return options;
}

NetRun train(const TrainingOptions& options, const NetData& net, double lambda, std::uint64_t seed = 1) {
  ThreadPool pool(1);
  const Trainer trainer(pool, options);
  CpuPopulation population(pool, trainer, {net}, {trainer.start(0, lambda, seed, net)});
  Recorder recorder;
  population.train(recorder, never);
  return population.runs()[0];
}

/// 95 % of one class, inputs that say nothing: the base rate must be found.
TEST(Learning, UselessInputsEndAtTheBaseRate) {
  Dataset data = random_dataset(600, 5, 2, 1);
  Dataset validation = random_dataset(200, 5, 2, 2);
  for (std::size_t i = 0; i < 600; ++i) data.labels[i] = i % 20 == 7 ? 1 : 0;
  for (std::size_t i = 0; i < 200; ++i) validation.labels[i] = i % 20 == 3 ? 1 : 0;
  std::size_t at_base_rate = 0;
  for (const double lambda : {1e-2, 1e-3, 1e-4}) {
    TrainingOptions options;
    options.patience = 20;
    const NetRun run = train(options, net_data(data, validation, 2), lambda);
    EXPECT_EQ(run.protocol.phase(), Phase::done);
    EXPECT_LE(run.current.validation_error, 0.05) << "lambda " << lambda;
    EXPECT_EQ(run.current, run.kept);
    if (run.current.validation_error < 0.05) continue;
    ++at_base_rate;
    EXPECT_EQ(run.current.network.hidden_units(), (std::vector<std::size_t>{1, 1}))
        << "no better than the base rate";
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(run.current.network.layers[2].weights(j, 0), 0.0F);
    EXPECT_NEAR(run.current.train_loss, -0.95 * std::log(0.95) - 0.05 * std::log(0.05), 1e-3);
  }
  EXPECT_GT(at_base_rate, 0U);
}

/// Who gives a size or a course wants that net, whatever it has learned.
TEST(Learning, NetsThatWereAskedForAreNotTakenBackToTheBaseRate) {
  Dataset data = random_dataset(300, 5, 2, 1);
  for (std::size_t i = 0; i < 300; ++i) data.labels[i] = i % 20 == 7 ? 1 : 0;
  const NetData net = net_data(data, data, 2);
  const auto hidden = [&](const TrainingOptions& options, double lambda) {
    const NetRun run = train(options, net, lambda);
    EXPECT_EQ(run.protocol.phase(), Phase::done);
    return run.kept.network.hidden_units();
  };
  const std::vector<std::size_t> none{1, 1};
  TrainingOptions options;
  options.optimizer = OptimizerKind::sgd;
  options.step = 1e-9;  // nothing is learned
  options.settle_epochs = 2;
  options.patience = 2;
  options.fine_patience = 1;
  options.fixed_size = {4, 3};
  EXPECT_EQ(hidden(options, 0), options.fixed_size);
  EXPECT_EQ(hidden(options, 1e-9), none) << "a size with a penalty is where pruning begins";

  options.fixed_size.clear();
  options.optimizer = OptimizerKind::adarad;
  options.angle = 1e-6;
  EXPECT_EQ(hidden(options, 1e-9), none);
  options.course = {.rounds = 1, .epochs = 2};
  ThreadPool pool(1);
  const Trainer trainer(pool, options);
  const Network<float> grown = trainer.start(0, 1e-9, 1, net).current.network;
  NetRun run = trainer.start_from(grown, Phase::anneal, 0, 1e-9, 1, net);
  while (run.running()) train_epoch(trainer, run, net);
  EXPECT_EQ(run.protocol.phase(), Phase::done);
  EXPECT_EQ(run.kept.network.hidden_units(), grown.hidden_units());
}

/// A class that is never the likelier one, but more likely for one half of the rows than for the other.
Dataset rare_class(std::size_t rows, std::uint64_t seed) {
  Dataset data = random_dataset(rows, 3, 2, seed);
  for (std::size_t i = 0; i < rows; ++i) {
    const bool one = data.inputs(i, 0) > 0 ? i % 4 == 1 : i % 40 == 1;
    data.labels[i] = one ? 1 : 0;
  }
  return data;
}

TEST(Learning, LogLossLearnsWhereTheErrorCannotFall) {
  const Dataset data = rare_class(2000, 1);
  const Dataset validation = rare_class(1000, 2);
  const NetData net = net_data(data, validation, 2);
  TrainingOptions options;
  options.patience = 20;
  options.batch_size = 100;
  options.angle = 0.01;
  options.metric = Metric::log_loss;
  const NetRun learned = train(options, net, 1e-3);
  EXPECT_LT(learned.current.criterion, 0.93 * base_criterion(net, Metric::log_loss));
  EXPECT_NEAR(learned.current.validation_error, base_criterion(net, Metric::error), 0.01);
  options.metric = Metric::error;
  const NetRun blind = train(options, net, 1e-3);
  EXPECT_EQ(blind.current.criterion, blind.current.validation_error);
  EXPECT_EQ(blind.current.network.hidden_units(), (std::vector<std::size_t>{1, 1})) << "nothing it could see";
}

TEST(BaseCriterion, IsWhatAnAnswerWithoutInputsComesTo) {
  Dataset data = random_dataset(10, 1, 3, 1);
  data.labels = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2};
  Dataset validation = random_dataset(4, 1, 3, 2);
  validation.labels = {0, 0, 1, 3};  // the last class was never seen
  const NetData net = net_data(data, validation, 3);
  EXPECT_DOUBLE_EQ(base_criterion(net, Metric::error), 0.5);
  EXPECT_NEAR(base_criterion(net, Metric::log_loss), -(2 * std::log(0.6) + std::log(0.3)) / 4, 1e-6);
  Dataset numbers = random_dataset(4, 1, 0, 1);
  numbers.targets = {1, -1, 2, 0};
  EXPECT_DOUBLE_EQ(base_criterion(net_data(numbers, numbers, 0), Metric::error), 1.5);
}

TEST(Learning, Xor) {
  const Dataset data = xor_dataset(600, 1);
  const Dataset validation = xor_dataset(300, 2);
  TrainingOptions options = small_data();
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    options.precision = precision;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const NetRun run = train(options, net_data(data, validation, 2), 1e-3, seed);
      EXPECT_EQ(run.protocol.phase(), Phase::done);
      EXPECT_LT(run.current.validation_error, 0.08) << "seed " << seed;
      for (const std::size_t units : run.current.network.hidden_units()) EXPECT_LT(units, 60U);
    }
  }
}

Dataset roof_dataset(std::size_t rows, std::uint64_t seed) {
  Dataset data = random_dataset(rows, 2, 0, seed);
  for (std::size_t i = 0; i < rows; ++i) {
    data.targets[i] = (std::abs(data.inputs(i, 0)) - std::abs(data.inputs(i, 1))) / 1.7F;
  }
  return data;
}

TEST(Learning, Regression) {
  const Dataset data = roof_dataset(600, 1);
  const Dataset validation = roof_dataset(200, 2);
  TrainingOptions options = small_data();
  options.angular_step = 0.3;  // gradients of the squared error are larger still
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const NetRun run = train(options, net_data(data, validation, 0), 1e-3, seed);
    EXPECT_EQ(run.protocol.phase(), Phase::done);
    EXPECT_LT(run.current.validation_error, 0.02);  // the mean alone has an error of 1
  }
}

TEST(Learning, ALinearModelWithoutHiddenLayers) {
  Dataset data = random_dataset(300, 3, 2, 1);
  for (std::size_t i = 0; i < 300; ++i) data.labels[i] = data.inputs(i, 0) > data.inputs(i, 2) ? 1 : 0;
  TrainingOptions options;
  options.hidden_layers = 0;
  options.batch_size = 50;
  options.patience = 10;
  const NetRun run = train(options, net_data(data, data, 2), 1e-4);
  EXPECT_EQ(run.protocol.phase(), Phase::done);
  EXPECT_LT(run.current.validation_error, 0.03);
}

/// Without biases a net of tanh or identity units is an odd function around the mean; xor is even, out of its
/// reach.
TEST(Learning, EveryActivationAndSeveralDepthsFinish) {
  const Dataset data = xor_dataset(600, 1);
  const Dataset validation = xor_dataset(200, 2);
  for (const Activation activation : activations) {
    for (const std::size_t layers : {1U, 3U}) {
      TrainingOptions options = small_data();
      options.hidden_layers = layers;
      options.activation = activation;
      options.fine_patience = 0.5;
      const NetRun run = train(options, net_data(data, validation, 2), 1e-3);
      EXPECT_EQ(run.protocol.phase(), Phase::done);
      if (activation != Activation::identity && activation != Activation::tanh) {
        EXPECT_LT(run.current.validation_error, 0.15)
            << static_cast<int>(activation) << ", " << layers << " layers";
      }
    }
  }
}

TEST(Learning, ALargerLambdaGivesASmallerNet) {
  const Dataset data = xor_dataset(400, 1);
  const Dataset validation = xor_dataset(200, 2);
  const TrainingOptions options = small_data();
  const NetData net = net_data(data, validation, 2);
  EXPECT_LT(train(options, net, 1e-2).current.network.parameters(),
            train(options, net, 1e-5).current.network.parameters());
}

}  // namespace
}  // namespace coppice
