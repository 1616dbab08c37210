#include "coppice/training/adam.h"
#include "coppice/training/schedule.h"
#include "coppice/training/shrink.h"
#include "coppice/training/trainer.h"

#include "tests/device/random_matrix.h"
#include "tests/training/problems.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

constexpr OptimizerKind kinds[] = {OptimizerKind::adarad,   OptimizerKind::adarad_m, OptimizerKind::sgd,
                                   OptimizerKind::momentum, OptimizerKind::nesterov, OptimizerKind::rmsprop,
                                   OptimizerKind::adam};

TrainingOptions options_of(OptimizerKind kind) {
  TrainingOptions options;
  options.optimizer = kind;
  options.batch_size = 50;
  options.unit_lifetime = 5;
  options.additions_per_epoch = 2;
  options.patience = 4;
  options.fine_patience = 2;
  return options;
}

TEST(Optimizers, AreTheSameToTheBitForAnyNumberOfThreads) {
  const Dataset data = xor_dataset(300, 3);
  const NetData rows = net_data(data, data, 2);
  for (const OptimizerKind kind : kinds) {
    std::vector<NetRun> runs;
    for (const std::size_t threads : {1U, 3U}) {
      ThreadPool pool(threads);
      const Trainer trainer(pool, options_of(kind));
      NetRun run = trainer.start(0, 1e-3, 7, rows);
      for (int epoch = 0; epoch < 8 && run.running(); ++epoch) train_epoch(trainer, run, rows);
      runs.push_back(run);
    }
    EXPECT_EQ(runs[0].current, runs[1].current) << static_cast<int>(kind);
    EXPECT_TRUE(std::isfinite(runs[0].current.train_loss)) << static_cast<int>(kind);
  }
}

TEST(Optimizers, StateFollowsTheNetworkAndRewindsWithIt) {
  const Dataset data = xor_dataset(300, 3);
  const NetData rows = net_data(data, data, 2);
  ThreadPool pool(1);
  for (const OptimizerKind kind : kinds) {
    const Trainer trainer(pool, options_of(kind));
    NetRun run = trainer.start(0, 1e-2, 7, rows);
    bool rewound = false;
    std::size_t died = 0;
    for (int epoch = 0; epoch < 40 && run.running(); ++epoch) {
      const EpochReport report = train_epoch(trainer, run, rows);
      died += report.died.size();
      if (report.rewound_to) {
        rewound = true;
        EXPECT_EQ(run.current, run.kept);
      }
      for (std::size_t l = 0; l < run.current.network.layers.size(); ++l) {
        const Matrix<float>& weights = run.current.network.layers[l].weights;
        const OptimizerState::LayerState& state = run.current.optimizer.layers[l];
        EXPECT_EQ(state.average.size(), weights.rows());
        EXPECT_TRUE(state.mean_capacity.empty() || state.mean_capacity.size() == weights.rows());
        for (const Matrix<float>* matrix : {&state.mean, &state.square}) {
          if (matrix->empty()) continue;
          EXPECT_EQ(matrix->rows(), weights.rows());
          EXPECT_EQ(matrix->cols(), weights.cols());
        }
      }
    }
    EXPECT_TRUE(rewound) << static_cast<int>(kind);
    const bool shrinks = kind != OptimizerKind::rmsprop && kind != OptimizerKind::adam;
    EXPECT_EQ(died > 0, shrinks) << static_cast<int>(kind);
  }
}

TEST(Optimizers, TheFirstStepIsTheOneGivenOrFollowsFromTheData) {
  TrainingOptions options = options_of(OptimizerKind::sgd);
  EXPECT_DOUBLE_EQ(first_step(options, 1e-3, 1000), 1 / (5 * 1e-3)) << "a useless unit lives five epochs";
  EXPECT_DOUBLE_EQ(first_step(options, 0, 1000), 0.1 * 20) << "20 batches, gradients scaled by 1/n";
  options.step = 7;
  EXPECT_DOUBLE_EQ(first_step(options, 1e-3, 1000), 7);
  EXPECT_DOUBLE_EQ(first_step(options_of(OptimizerKind::adam), 0, 1000), 0.001);
  EXPECT_DOUBLE_EQ(first_step(options_of(OptimizerKind::adam), 10, 1000), 0.001) << "with a penalty, too";
  EXPECT_DOUBLE_EQ(first_step(options_of(OptimizerKind::adarad_m), 1e-3, 1000), options.angular_step);
}

/// For nets of fixed size: the step, then shrinkage that is not rescaled; units that end as zero are named.
TEST(Optimizers, RmsPropAndAdamShrinkAfterTheirStep) {
  ThreadPool pool(1);
  const Regularizer regularizer;
  const RmsProp<double> rmsprop(0.1, 1e-8, regularizer);
  const Adam<double> adam(0.1, 0.1, 1e-8, regularizer);
  for (const Optimizer<double>* optimizer :
       {static_cast<const Optimizer<double>*>(&rmsprop), static_cast<const Optimizer<double>*>(&adam)}) {
    Network<double> plain = make_network<double>({.inputs = 6, .outputs = 3, .hidden = {5, 4}}, 3);
    for (double& weight : plain.layers[0].weights.row(2)) weight *= 0.01;
    Network<double> shrunk = plain;
    Workspace<double> workspace;
    for (std::size_t l = 0; l < plain.layers.size(); ++l) {
      const Matrix<double>& weights = plain.layers[l].weights;
      workspace.layers.emplace_back().weight_gradient =
          random_matrix<double>(weights.rows(), weights.cols(), l, 0.1);
    }
    OptimizerStateOf<double> state = optimizer->start(plain);
    OptimizerStateOf<double> other = state;
    DeadUnits dead;
    ASSERT_TRUE(optimizer->step(pool, plain, workspace, {.radial = 0.003}, state, dead));
    EXPECT_TRUE(std::ranges::all_of(dead, [](const auto& units) { return units.empty(); }));
    ASSERT_TRUE(optimizer->step(pool, shrunk, workspace, {.radial = 0.003, .shrinkage = 0.05}, other, dead));
    EXPECT_EQ(dead, (DeadUnits{{2}, {}}));
    ASSERT_TRUE(shrink(pool, plain, regularizer, 0.05, dead));
    EXPECT_EQ(plain, shrunk);
  }
}

TEST(Optimizers, TheirStepIsWhatTheProtocolAnneals) {
  const Dataset data = xor_dataset(300, 3);
  const NetData rows = net_data(data, data, 2);
  ThreadPool pool(1);
  TrainingOptions options = options_of(OptimizerKind::momentum);
  options.step = 9;
  const Trainer trainer(pool, options);
  NetRun run = trainer.start(0, 1e-2, 7, rows);
  EXPECT_DOUBLE_EQ(step_sizes(run, options, 50, 300).radial, 9);
  EXPECT_DOUBLE_EQ(step_sizes(run, options, 50, 300).shrinkage, 9 * 1e-2 * 50 / 300);
  Protocol::State state = run.protocol.state();
  state.phase = Phase::anneal;
  state.step = 3;
  run.protocol.restore(state);
  EXPECT_DOUBLE_EQ(step_sizes(run, options, 50, 300).radial, 3);
  EXPECT_DOUBLE_EQ(step_sizes(run, options, 50, 300).shrinkage, 0);
}

/// The trainer tells the optimizer of units that died: weights that the units above lose with them take a part of their
/// means along.
TEST(Optimizers, AdaradMsMeansStayOrthogonalWhileUnitsDie) {
  const Dataset data = xor_dataset(300, 3);
  const NetData rows = net_data(data, data, 2);
  ThreadPool pool(1);
  const Trainer trainer(pool, options_of(OptimizerKind::adarad_m));
  NetRun run = trainer.start(0, 1e-2, 7, rows);
  std::size_t died = 0;
  for (int epoch = 0; epoch < 20; ++epoch) {
    died += train_epoch(trainer, run, rows).died.size();
    for (std::size_t l = 0; l < run.current.network.layers.size(); ++l) {
      const Matrix<float>& weights = run.current.network.layers[l].weights;
      const Matrix<float>& mean = run.current.optimizer.layers[l].mean;
      for (std::size_t j = 0; j < weights.rows(); ++j) {
        double along = 0;
        double squares[2] = {0, 0};
        for (std::size_t i = 0; i < weights.cols(); ++i) {
          along += static_cast<double>(weights(j, i)) * mean(j, i);
          squares[0] += static_cast<double>(weights(j, i)) * weights(j, i);
          squares[1] += static_cast<double>(mean(j, i)) * mean(j, i);
        }
        EXPECT_LE(std::abs(along), 1e-3 * std::sqrt(squares[0] * squares[1]) + 1e-9)
            << "epoch " << epoch << " layer " << l << " unit " << j;
      }
    }
  }
  EXPECT_GT(died, 10U);
}

TEST(Optimizers, AdaradMLearnsWhatAdaradLearns) {
  const Dataset train = xor_dataset(1000, 3);
  const Dataset validation = xor_dataset(500, 4);
  const NetData rows = net_data(train, validation, 2);
  ThreadPool pool(1);
  TrainingOptions options = options_of(OptimizerKind::adarad_m);
  options.unit_lifetime = 20;
  const Trainer trainer(pool, options);
  NetRun run = trainer.start(0, 1e-3, 7, rows);
  double best = 1;
  for (int epoch = 0; epoch < 60 && run.running(); ++epoch)
    best = std::min(best, train_epoch(trainer, run, rows).validation_error);
  EXPECT_LT(best, 0.08);
}

TEST(RadialStep, IsWhatIsAskedForElseByTheLifetime) {
  TrainingOptions options;
  options.unit_lifetime = 50;
  EXPECT_DOUBLE_EQ(radial_step(options, 1e-3), 20);
  options.radial_step = 0.5;
  EXPECT_DOUBLE_EQ(radial_step(options, 1e-3), 0.5);
}

}  // namespace
}  // namespace coppice
