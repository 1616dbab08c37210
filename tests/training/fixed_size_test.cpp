#include "coppice/training/adam.h"
#include "coppice/training/momentum.h"
#include "coppice/training/sgd.h"
#include "coppice/training/trainer.h"

#include "tests/training/problems.h"

#include <memory>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TrainingOptions fixed_options(OptimizerKind kind, Norm norm) {
  TrainingOptions options;
  options.fixed_size = {20, 10};
  options.optimizer = kind;
  options.norm = norm;
  options.batch_size = 50;
  options.patience = 6;
  options.fine_patience = 2;
  return options;
}

TEST(FixedSize, LearnsWithEveryOptimizerAndNormAndKeepsItsSize) {
  const Dataset train = xor_dataset(600, 3);
  const Dataset validation = xor_dataset(400, 4);
  const NetData rows = net_data(train, validation, 2);
  ThreadPool pool(1);
  for (const auto& [kind, step] :
       {std::pair(OptimizerKind::sgd, 3.0), std::pair(OptimizerKind::momentum, 3.0),
        std::pair(OptimizerKind::nesterov, 3.0), std::pair(OptimizerKind::rmsprop, 0.01),
        std::pair(OptimizerKind::adam, 0.01)}) {
    for (const Norm norm : {Norm::capnorm, Norm::batchnorm, Norm::batchnorm_affine, Norm::none}) {
      TrainingOptions options = fixed_options(kind, norm);
      options.step = step;
      const Trainer trainer(pool, options);
      NetRun run = trainer.start(0, 0, 7, rows);
      EXPECT_EQ(run.current.network.output_capnorm, norm == Norm::capnorm);
      std::size_t epochs = 0;
      for (; run.running() && epochs < 400; ++epochs) {
        const EpochReport report = train_epoch(trainer, run, rows);
        EXPECT_EQ(report.hidden_units, (std::vector<std::size_t>{20, 10}));
        EXPECT_EQ(report.lambda, 0);
        EXPECT_TRUE(report.phase == Phase::polish || report.phase == Phase::anneal);
      }
      EXPECT_EQ(run.protocol.phase(), Phase::done) << static_cast<int>(kind) << " " << static_cast<int>(norm);
      EXPECT_LT(run.kept.validation_error, 0.15) << static_cast<int>(kind) << " " << static_cast<int>(norm);
    }
  }
}

TEST(FixedSize, TheStepIsDividedByThreeAfterEveryRewind) {
  const Dataset data = random_dataset(200, 3, 2, 3);
  const Dataset validation = random_dataset(100, 3, 2, 4);
  const NetData rows = net_data(data, validation, 2);
  ThreadPool pool(1);
  TrainingOptions options = fixed_options(OptimizerKind::adam, Norm::batchnorm);
  options.step = 0.09;
  const Trainer trainer(pool, options);
  NetRun run = trainer.start(0, 0, 7, rows);
  double step = 0.09;
  std::size_t rewinds = 0;
  while (run.running()) {
    const EpochReport report = train_epoch(trainer, run, rows);
    EXPECT_DOUBLE_EQ(report.step, step);
    EXPECT_EQ(report.step_name, "step");
    if (!report.rewound_to) continue;
    ++rewinds;
    EXPECT_EQ(run.current, run.kept);
    step /= 3;
  }
  EXPECT_GT(rewinds, 1U);
  EXPECT_EQ(run.kept.network.hidden_units(), (std::vector<std::size_t>{20, 10}))
      << "noise was learned, but the size is fixed";
}

TEST(FixedSize, WithAPenaltyItBeginsInSettleAndOnlyShrinks) {
  const Dataset train = xor_dataset(600, 3);
  const Dataset validation = xor_dataset(400, 4);
  const NetData rows = net_data(train, validation, 2);
  ThreadPool pool(1);
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adarad}) {
    TrainingOptions options = fixed_options(kind, Norm::capnorm);
    options.unit_lifetime = 8;
    const Trainer trainer(pool, options);
    NetRun run = trainer.start(0, 3e-2, 7, rows);
    EXPECT_EQ(run.protocol.phase(), Phase::settle);
    std::vector<std::size_t> sizes{20, 10};
    while (run.running()) {
      const EpochReport report = train_epoch(trainer, run, rows);
      EXPECT_TRUE(report.born.empty());
      for (std::size_t l = 0; l < 2; ++l) EXPECT_LE(report.hidden_units[l], sizes[l]);
      if (!report.rewound_to) sizes = report.hidden_units;
    }
    EXPECT_LT(run.kept.network.hidden_units()[0], 20U);
    EXPECT_LT(run.kept.validation_error, 0.2);
  }
}

/// One step of free means and variances by hand.
TEST(FixedSize, EveryOptimizerMovesFreeMeansAndVariances) {
  struct Case {
    std::unique_ptr<Optimizer<double>> optimizer;
    double moved;  ///< by a first gradient of 0.5 and a step of 0.1
  };
  std::vector<Case> cases;
  cases.push_back({std::make_unique<Sgd<double>>(), 0.05});
  cases.push_back({std::make_unique<Momentum<double>>(0.1, false), 0.005});
  cases.push_back({std::make_unique<Momentum<double>>(0.1, true), 0.1 * (0.9 * 0.05 + 0.1 * 0.5)});
  cases.push_back({std::make_unique<RmsProp<double>>(0.005, 1e-8), 0.1});
  cases.push_back({std::make_unique<Adam<double>>(0.1, 0.005, 1e-8), 0.1});
  for (const Case& c : cases) {
    Network<double> network = make_network<double>(
        {.inputs = 3, .outputs = 2, .hidden = {4}, .norm = Norm::batchnorm_affine, .output_capnorm = false},
        1);
    Workspace<double> workspace;
    workspace.layers.resize(2);
    for (std::size_t l = 0; l < 2; ++l) {
      const Matrix<double>& weights = network.layers[l].weights;
      workspace.layers[l].weight_gradient = Matrix<double>(weights.rows(), weights.cols());
    }
    workspace.layers[0].affine_gradient = Matrix<double>(4, 2);
    workspace.layers[0].affine_gradient(2, 0) = 0.5;
    workspace.layers[0].affine_gradient(3, 1) = -0.5;
    OptimizerStateOf<double> state = c.optimizer->start(network);
    DeadUnits dead;
    ThreadPool pool(1);
    ASSERT_TRUE(c.optimizer->step(pool, network, workspace, {.angular = 0, .radial = 0.1, .shrinkage = 0},
                                  state, dead));
    const Matrix<double>& affine = network.layers[0].affine;
    EXPECT_NEAR(affine(2, 0), 1 - c.moved, 1e-7);
    EXPECT_NEAR(affine(3, 1), c.moved, 1e-7);
    EXPECT_EQ(affine(0, 0), 1);
    EXPECT_EQ(affine(0, 1), 0);
  }
}

}  // namespace
}  // namespace coppice
