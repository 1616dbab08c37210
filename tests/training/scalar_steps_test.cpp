#include "coppice/training/scalar_steps.h"

#include "coppice/training/adarad.h"
#include "coppice/training/angular_average.h"
#include "coppice/training/trainer.h"

#include "tests/training/problems.h"

#include <cmath>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// A net of one hidden unit per layer whose gradients are given.
struct Given {
  TrainingOptions options;
  Network<double> network = make_network<double>({.inputs = 2, .outputs = 2, .hidden = {3}, .kinks = 0.5}, 1);
  Workspace<double> workspace;
  OptimizerStateOf<double> state = zero_state(network);

  Given() {
    options.kink_step = 0.5;
    options.output_scale_step = 2;
    remember_more(network, options, state);
    workspace.layers.resize(2);
    workspace.layers[0].kink_gradient = {0.3, 0, -7};
    workspace.output_scale_gradient = -0.02;
    for (auto& layer : state.layers) std::ranges::fill(layer.capacity, options.mixing_rate);
  }
};

TEST(ScalarSteps, FirstStepsAreAsLongAsTheAngleWhateverTheGradient) {
  Given given;
  const std::vector<double> before = given.network.layers[0].kinks;
  move_scalars(given.options, {.angular = 0.04, .by_angle = true}, given.workspace, given.network,
               given.state);
  const std::vector<double>& kinks = given.network.layers[0].kinks;
  EXPECT_NEAR(kinks[0], before[0] - 0.5 * 0.04, 1e-12);
  EXPECT_EQ(kinks[1], before[1]) << "a gradient of zero says nothing";
  EXPECT_NEAR(kinks[2], before[2] + 0.5 * 0.04, 1e-12);
  EXPECT_NEAR(given.network.output_scale, std::exp(2 * 0.04), 1e-12);
}

TEST(ScalarSteps, AlphaPhiTurnsByTheLargestMeanAngularPart) {
  Given given;
  given.state.largest_average = 0.0009;
  given.state.largest_capacity = 1;
  move_scalars(given.options, {.angular = 2}, given.workspace, given.network, given.state);
  EXPECT_NEAR(given.network.output_scale, std::exp(2 * 2 * 0.03), 1e-12);
}

TEST(ScalarSteps, RunningMeansAreThoseOfSquares) {
  Given given;
  const StepSizes sizes{.angular = 0.04, .by_angle = true};
  move_scalars(given.options, sizes, given.workspace, given.network, given.state);
  const double first = given.network.output_scale;
  given.workspace.output_scale_gradient = 0.06;
  move_scalars(given.options, sizes, given.workspace, given.network, given.state);
  const double keep = 0.995;
  const double mean = (keep * 0.0004 + 0.0036) / (keep + 1);
  EXPECT_NEAR(given.network.output_scale / first, std::exp(-0.08 * 0.06 / std::sqrt(mean)), 1e-9);
  EXPECT_NEAR(given.state.layers[0].kink_average[2], 0.005 * 49 * (1 + keep), 1e-9);
}

TEST(ScalarSteps, NoKinkMovesOutOfReach) {
  Given given;
  given.network.layers[0].kinks[0] = -farthest_kink;
  move_scalars(given.options, {.angular = 0.04, .by_angle = true}, given.workspace, given.network,
               given.state);
  EXPECT_EQ(given.network.layers[0].kinks[0], -farthest_kink) << "a model file takes no other";
}

/// A radial step makes a unit's input as much longer as its fan-in, and turns it around with it.
TEST(ScalarSteps, ARadialStepIsTakenByWhatIsRemembered) {
  for (const double factor : {3.0, -0.5}) {
    OptimizerStateOf<double> state;
    state.seen = {{SeenUnit{2, 5, 1}}};
    const RowDots dots{.gg = 1, .gw = 1, .ww = 1};
    lengthen_seen(state, 0, 0, dots, {.radial = 1 - factor});
    EXPECT_NEAR(state.seen[0][0].mean, 2 * factor, 1e-12);
    EXPECT_NEAR(state.seen[0][0].variance, 5 * factor * factor, 1e-12);
    lengthen_seen(state, 0, 0, dots, {.radial = 1 - factor, .shrinkage = 10});
    EXPECT_NEAR(state.seen[0][0].mean, 2 * factor, 1e-12) << "a unit that ends, or is spared";
  }
}

/// Everything that learns or is remembered comes and goes with its unit, is rewound, and moves at all.
TEST(ScalarSteps, ATrainedNetHasMovedThem) {
  const Dataset data = xor_dataset(300, 1);
  const NetData rows = net_data(data, data, 2);
  ThreadPool pool(1);
  TrainingOptions options;
  options.angle = 0.05;
  options.batch_size = 30;
  options.unit_lifetime = 3;
  options.kinks = 0.1;
  options.kink_step = 0.3;
  options.output_scale_step = 1;
  options.capnorm_rows = 100;
  const Trainer trainer(pool, options);
  NetRun run = trainer.start(0, 1e-3, 1, rows);
  EXPECT_EQ(run.current.optimizer.seen[0][0], SeenUnit{});
  std::size_t gone = 0;
  for (int epoch = 0; epoch < 30; ++epoch) gone += train_epoch(trainer, run, rows).died.size();
  EXPECT_GT(gone, 0U);
  const Network<float>& network = run.current.network;
  EXPECT_NE(network.output_scale, 1);
  for (std::size_t l = 0; l < 3; ++l) {
    ASSERT_EQ(run.current.optimizer.seen[l].size(), network.layers[l].units.size());
    ASSERT_EQ(run.current.optimizer.layers[l].kink_average.size(), network.layers[l].kinks.size());
    EXPECT_GT(run.current.optimizer.seen[l][0].filled, 0.9);
    for (std::size_t j = 0; j < network.layers[l].kinks.size(); ++j) {
      if (run.current.optimizer.layers[l].kink_average[j] == 0) continue;
      EXPECT_NE(network.layers[l].kinks[j],
                static_cast<float>(draw_kink(0.1, 1, l, network.layers[l].units[j])));
    }
  }
  TrainingOptions plain;
  plain.angle = 0.05;
  const Trainer without(pool, plain);
  EXPECT_EQ(without.start_from(network, Phase::grow, 0, 1e-3, 1, rows).current.network.output_scale, 1)
      << "a factor that does not learn is none";
}

}  // namespace
}  // namespace coppice
