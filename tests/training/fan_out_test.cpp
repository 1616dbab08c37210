#include "coppice/training/lambda_scale.h"
#include "coppice/training/sgd.h"
#include "coppice/training/units.h"

#include "tests/training/problems.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice {
namespace {

TrainingOptions fan_out_options(OptimizerKind kind) {
  TrainingOptions options;
  options.optimizer = kind;
  options.regularizer.fan = Fan::fan_out;
  options.batch_size = 50;
  options.unit_lifetime = 20;
  options.patience = 10;
  options.fine_patience = 2;
  return options;
}

TEST(FanOut, ANewUnitHasAZeroFanInARandomFanOutAndChangesNothing) {
  const Dataset data = random_dataset(60, 4, 3, 5);
  ThreadPool pool(1);
  for (const Activation activation : activations) {
    TrainingOptions options = fan_out_options(OptimizerKind::momentum);
    options.activation = activation;
    options.hidden_layers = 3;
    options.add_units = 2;
    const NetData rows = net_data(data, data, 3);
    const Trainer trainer(pool, options);
    NetRun run = trainer.start(0, 1e-3, 7, rows);
    const Matrix<float> before = training_scores(run.current.network, data);
    EpochReport report;
    grow(run, options, 0, report);
    EXPECT_EQ(report.born.size(), 6U);
    EXPECT_EQ(run.current.network.hidden_units(), (std::vector<std::size_t>{12, 12, 12}));
    EXPECT_EQ(largest_difference(training_scores(run.current.network, data), before), 0);
    for (std::size_t l = 0; l < 3; ++l) {
      for (std::size_t j = 10; j < 12; ++j) {
        for (const float weight : std::as_const(run.current.network.layers[l].weights).row(j))
          EXPECT_EQ(weight, 0);
        const Matrix<float>& above = run.current.network.layers[l + 1].weights;
        double square = 0;
        for (std::size_t k = 0; k < above.rows(); ++k) square += std::pow(above(k, j), 2);
        // New units above still have a zero fan-in: theirs are added after those below.
        EXPECT_GT(square, 0.01);
        EXPECT_LT(square, 9);
      }
      EXPECT_EQ(run.current.optimizer.layers[l].mean.rows(), 12U);
    }
  }
}

TEST(FanOut, AUnitWithAZeroFanInLearnsOnlyWhereItIsToldTo) {
  const Dataset data = random_dataset(60, 4, 3, 5);
  for (const Activation activation : {Activation::relu, Activation::leaky_relu}) {
    Network<double> network =
        make_network<double>({.inputs = 4, .outputs = 3, .hidden = {5}, .activation = activation}, 3);
    for (double& weight : network.layers[0].weights.row(2)) weight = 0;
    ThreadPool pool(1);
    std::vector<Matrix<double>> gradients;
    for (const bool learns : {false, true}) {
      Workspace<double> workspace = batch_of<double>(data);
      workspace.zero_units_learn = learns;
      compute_gradient(pool, network, 1.0, workspace);
      gradients.push_back(workspace.layers[0].weight_gradient);
    }
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t i = 0; i < 4; ++i) {
        if (j != 2) {
          EXPECT_EQ(gradients[0](j, i), gradients[1](j, i));
          continue;
        }
        // The loss from the right: the unit opened a little by this one weight, for the rows that open it.
        EXPECT_NE(gradients[1](j, i), 0);
        if (activation == Activation::relu) {
          EXPECT_EQ(gradients[0](j, i), 0);
        } else {
          EXPECT_NEAR(gradients[0](j, i), leaky_slope * gradients[1](j, i), 1e-12);
        }
      }
    }
  }
}

TEST(FanOut, NetsFindASizeWithEveryPenaltyThatADescentTakes) {
  const Dataset train = xor_dataset(800, 3);
  const Dataset validation = xor_dataset(400, 4);
  const NetData rows = net_data(train, validation, 2);
  ThreadPool pool(1);
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::nesterov}) {
    for (const Fan fan : {Fan::fan_in, Fan::fan_out}) {
      for (const std::size_t power : {1U, 2U}) {
        TrainingOptions options = fan_out_options(kind);
        options.regularizer = {.fan = fan, .power = power, .layer_factors = {}};
        options.step = 20;
        const Trainer trainer(pool, options);
        NetRun run = trainer.start(0, 3e-3, 7, rows);
        double best = 1;
        std::size_t died = 0;
        std::size_t born = 0;
        for (int epoch = 0; epoch < 80 && run.running(); ++epoch) {
          const EpochReport report = train_epoch(trainer, run, rows);
          best = std::min(best, report.validation_error);
          died += report.died.size();
          born += report.born.size();
        }
        const auto what = fmt::format("{} {} {}", static_cast<int>(kind), static_cast<int>(fan), power);
        EXPECT_LT(best, 0.15) << what;
        EXPECT_GT(died, 0U) << what;
        EXPECT_GT(born, 0U) << what;
      }
    }
  }
}

TEST(FanOut, TheLargestLambdaIsThatAboveWhichZeroOutputWeightsStay) {
  const Dataset data = xor_dataset(400, 3);
  const NetData rows = net_data(data, data, 2);
  ThreadPool pool(1);
  for (const Fan fan : {Fan::fan_in, Fan::fan_out}) {
    for (const std::size_t power : {1U, 2U}) {
      TrainingOptions options = fan_out_options(OptimizerKind::sgd);
      options.regularizer = {.fan = fan, .power = power, .layer_factors = {1, 1, 0.5}};
      const double largest = largest_lambda(pool, options, 7, rows);
      options.start_units = 10;  // as it was measured with
      Network<float> network = Trainer(pool, options).start(0, 1, 7, rows).current.network;
      Matrix<float>& output = network.layers.back().weights;
      for (const double share : {0.99, 1.01}) {
        for (std::size_t j = 0; j < output.rows(); ++j) std::ranges::fill(output.row(j), 0.0F);
        Workspace<float> workspace = batch_of<float>(data);
        compute_gradient(pool, network, 1 / 400.0F, workspace);
        Network<float> moved = network;
        const Sgd<float> sgd(options.regularizer);
        OptimizerState state = sgd.start(network);
        DeadUnits dead;
        const double step = 1e-3;
        ASSERT_TRUE(sgd.step(pool, moved, workspace,
                             {.angular = 0, .radial = step, .shrinkage = step * share * largest}, state,
                             dead));
        bool zero = true;
        const std::size_t spared = fan == Fan::fan_out ? 1 : 0;  // the last hidden unit is never shrunk away
        for (std::size_t j = 0; j < output.rows(); ++j) {
          for (std::size_t i = 0; i + spared < output.cols(); ++i)
            zero = zero && moved.layers.back().weights(j, i) == 0;
        }
        EXPECT_EQ(zero, share > 1) << static_cast<int>(fan) << " " << power;
      }
    }
  }
}

}  // namespace
}  // namespace coppice
