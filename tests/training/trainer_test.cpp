#include "coppice/training/trainer.h"

#include "tests/training/problems.h"

#include <cmath>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

namespace coppice {
namespace {

void expect_finite(const Network<float>& network) {
  for (const Layer<float>& layer : network.layers) {
    for (std::size_t j = 0; j < layer.weights.rows(); ++j) {
      for (const float weight : layer.weights.row(j)) ASSERT_TRUE(std::isfinite(weight));
    }
  }
}

/// A linear model without CapNorm that hardly moves on blank inputs: the loss of a row is its squared target.
TEST(Trainer, EachEpochUsesEveryRowExactlyOnce) {
  ThreadPool pool(1);
  Dataset data = random_dataset(23, 2, 0, 1);
  double sum = 0;
  for (std::size_t i = 0; i < 23; ++i) {
    std::ranges::fill(data.inputs.row(i), 0.0F);
    data.targets[i] = std::ldexp(1.0F, static_cast<int>(i));  // squares are digits in base 4
    sum += std::ldexp(1.0, 2 * static_cast<int>(i));
  }
  TrainingOptions options;
  options.hidden_layers = 0;
  options.output_capnorm = false;
  options.batch_size = 5;
  const Trainer trainer(pool, options);
  const NetData net = net_data(data, data, 0);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  for (std::size_t epoch = 1; epoch <= 5; ++epoch) {
    const EpochReport report = train_epoch(trainer, run, net);
    EXPECT_EQ(report.train_loss * 23, sum);
    EXPECT_EQ(report.steps, 5 * epoch);
  }
}

TEST(Trainer, TheOrderOfRowsDiffersFromEpochToEpochAndSeedToSeed) {
  ThreadPool pool(1);
  Dataset data = random_dataset(100, 2, 0, 1);
  for (std::size_t i = 0; i < 100; ++i) {
    std::ranges::fill(data.inputs.row(i), 0.0F);
    data.targets[i] = static_cast<float>(i);
  }
  TrainingOptions options;
  options.hidden_layers = 0;
  options.output_capnorm = false;
  options.batch_size = 10;
  options.max_steps = 1;
  const Trainer trainer(pool, options);
  const NetData net = net_data(data, data, 0);
  std::vector<double> losses;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const std::size_t epoch : {0U, 1U, 2U}) {
      NetRun run = trainer.start(0, 1e-3, seed, net);
      run.epoch = epoch;
      losses.push_back(train_epoch(trainer, run, net).train_loss);
    }
  }
  std::ranges::sort(losses);
  EXPECT_EQ(std::ranges::adjacent_find(losses), losses.end());
}

TEST(Trainer, TheBaseRateIsTheLogOfEachClassesShareOfTheTrainingRows) {
  ThreadPool pool(1);
  Dataset data = random_dataset(10, 2, 4, 1);
  data.labels = {0, 0, 0, 0, 0, 1, 1, 3, 2, 2};
  NetData net = net_data(data, data, 4);
  net.train_rows = {0, 1, 2, 3, 4, 5, 6, 7};  // class 2 is left out
  const Trainer trainer(pool, {});
  const std::vector<float> offset = trainer.start(0, 1e-3, 1, net).current.network.offset;
  ASSERT_EQ(offset.size(), 4U);
  EXPECT_NEAR(offset[0], std::log(5.0 / 8), 1e-6);
  EXPECT_NEAR(offset[1], std::log(2.0 / 8), 1e-6);
  EXPECT_TRUE(std::isfinite(offset[2]));
  EXPECT_LT(offset[2], offset[3]);
  TrainingOptions options;
  options.prior_offset = false;
  EXPECT_TRUE(Trainer(pool, options).start(0, 1e-3, 1, net).current.network.offset.empty());
}

TEST(Trainer, ZeroStepsKeepTheInitialNet) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(50, 1);
  TrainingOptions options;
  options.max_steps = 0;
  const Trainer trainer(pool, options);
  CpuPopulation population(pool, trainer, {net_data(data, data, 2)},
                           {trainer.start(0, 1e-3, 7, net_data(data, data, 2))});
  Recorder recorder;
  population.train(recorder, never);
  EXPECT_TRUE(recorder.reports.empty());
  const NetRun& run = population.runs()[0];
  EXPECT_FALSE(run.running());
  EXPECT_EQ(run.kept.network.layers,
            make_network<float>({.inputs = 2, .outputs = 2, .hidden = {10, 10}}, 7).layers);
  EXPECT_EQ(run.current.network, run.kept.network);
}

TEST(Trainer, StopsAfterExactlyTheGivenNumberOfSteps) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(50, 1);
  for (const std::size_t steps : {1U, 4U, 5U, 7U, 10U}) {
    TrainingOptions options;
    options.batch_size = 10;  // 5 iterations per epoch
    options.max_steps = steps;
    const Trainer trainer(pool, options);
    const NetData net = net_data(data, data, 2);
    CpuPopulation population(pool, trainer, {net}, {trainer.start(0, 1e-3, 7, net)});
    Recorder recorder;
    population.train(recorder, never);
    EXPECT_EQ(population.runs()[0].steps, steps);
    EXPECT_EQ(recorder.reports.size(), (steps + 4) / 5);
    EXPECT_TRUE(population.runs()[0].stopped);
  }
}

TEST(Trainer, MaxEpochsStopsTooAndTheLastStateIsStillThere) {
  ThreadPool pool(1);
  const Dataset data = random_dataset(50, 2, 2, 1);
  const Dataset validation = random_dataset(50, 2, 2, 2);
  TrainingOptions options;
  options.max_epochs = 3;
  options.patience = 1;
  options.keep = Keep::last;
  const Trainer trainer(pool, options);
  const NetData net = net_data(data, validation, 2);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  while (run.running()) train_epoch(trainer, run, net);
  EXPECT_EQ(run.epoch, 3U);
  EXPECT_EQ(run.current.epoch, 3U);
}

TEST(Trainer, ARewindBringsBackWeightsSizesAndOptimizerState) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(60, 1);
  const Dataset validation = xor_dataset(40, 2);
  TrainingOptions options;
  options.batch_size = 20;
  options.patience = 3;
  options.fine_patience = 2;
  const Trainer trainer(pool, options);
  const NetData net = net_data(data, validation, 2);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  std::vector<NetState> states{run.current};
  std::size_t rewinds = 0;
  for (int epoch = 0; epoch < 500 && run.running(); ++epoch) {
    const NetRun before = run;
    const EpochReport report = train_epoch(trainer, run, net);
    EXPECT_EQ(run.epoch, before.epoch + 1);
    EXPECT_EQ(run.steps, report.steps);
    EXPECT_GE(run.next_unit, before.next_unit);
    if (report.rewound_to) {
      ++rewinds;
      EXPECT_EQ(run.current, states.at(*report.rewound_to));
      EXPECT_EQ(run.current, run.kept);
    } else {
      EXPECT_EQ(run.current.epoch, run.epoch);
    }
    states.resize(run.epoch);
    states.push_back(run.current);
  }
  EXPECT_FALSE(run.running());
  EXPECT_GE(rewinds, 4U);
  EXPECT_EQ(run.protocol.phase(), Phase::done);
}

TEST(Trainer, FinePatienceBelowOneTrainsThatPartOfAnEpoch) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(100, 1);
  const Dataset validation = xor_dataset(100, 2);
  TrainingOptions options;
  options.batch_size = 10;
  options.patience = 2;
  options.fine_patience = 0.45;
  const Trainer trainer(pool, options);
  const NetData net = net_data(data, validation, 2);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  bool annealed = false;
  while (run.running()) {
    const std::size_t before = run.steps;
    const EpochReport report = train_epoch(trainer, run, net);
    EXPECT_EQ(report.steps - before, report.phase == Phase::anneal ? 5U : 10U);
    annealed = annealed || report.phase == Phase::anneal;
  }
  EXPECT_TRUE(annealed);
}

TEST(Trainer, LengthsOfFanInAndFanOutAreReportedEveryTenEpochs) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(60, 1);
  TrainingOptions options;
  options.patience = 1000;
  const Trainer trainer(pool, options);
  const NetData net = net_data(data, data, 2);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  for (std::size_t epoch = 1; epoch <= 20; ++epoch) {
    const EpochReport report = train_epoch(trainer, run, net);
    ASSERT_EQ(report.lengths.empty(), epoch % 10 != 0);
    std::size_t at = 0;
    for (std::size_t l = 0; l < 2 && !report.lengths.empty(); ++l) {
      const Network<float>& network = run.current.network;
      for (std::size_t j = 0; j < network.layers[l].units.size(); ++j, ++at) {
        double fan_in = 0;
        double fan_out = 0;
        for (const float weight : network.layers[l].weights.row(j))
          fan_in += static_cast<double>(weight) * weight;
        const Matrix<float>& above = network.layers[l + 1].weights;
        for (std::size_t k = 0; k < above.rows(); ++k)
          fan_out += static_cast<double>(above(k, j)) * above(k, j);
        EXPECT_EQ(report.lengths.at(at).unit, network.layers[l].units[j]);
        EXPECT_EQ(report.lengths[at].layer, l);
        EXPECT_NEAR(report.lengths[at].fan_in, std::sqrt(fan_in), 1e-9);
        EXPECT_NEAR(report.lengths[at].fan_out, std::sqrt(fan_out), 1e-9);
      }
    }
    EXPECT_EQ(at, report.lengths.size());
  }
}

TEST(Trainer, StopInTheMiddleOfAnEpochGivesNoReport) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(50, 1);
  TrainingOptions options;
  options.batch_size = 10;
  const Trainer trainer(pool, options);
  const NetData net = net_data(data, data, 2);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  Workspace<float> workspace;
  int asked = 0;
  EXPECT_FALSE(trainer.train_epoch(run, net, workspace, [&] { return ++asked > 3; }).has_value());
  EXPECT_EQ(asked, 4) << "before every iteration";
  EXPECT_EQ(run.steps, 3U);
  EXPECT_EQ(run.epoch, 0U);
}

TEST(Trainer, NonFiniteInputEndsTheNetWithItsKeptState) {
  ThreadPool pool(1);
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    for (const Activation activation : activations) {
      Dataset data = xor_dataset(50, 1);
      TrainingOptions options;
      options.activation = activation;
      options.batch_size = 10;
      const Trainer trainer(pool, options);
      const NetData net = net_data(data, data, 2);
      NetRun run = trainer.start(0, 1e-3, 1, net);
      train_epoch(trainer, run, net);
      ASSERT_TRUE(run.running());
      const NetState kept = run.kept;
      data.inputs(17, 1) = bad;
      const EpochReport report = train_epoch(trainer, run, net);
      EXPECT_EQ(run.protocol.phase(), Phase::failed);
      EXPECT_EQ(report.next_phase, Phase::failed);
      EXPECT_FALSE(run.running());
      EXPECT_EQ(run.kept, kept);
      EXPECT_EQ(run.current, kept);
    }
  }
}

/// A value whose square overflows must end the net or leave it finite, never as NaN.
TEST(Trainer, AnAbsurdlyLargeInputLeavesNothingThatIsNotFinite) {
  ThreadPool pool(1);
  for (const float bad : {1e15F, 1e30F, 3e38F}) {
    for (const bool capnorm : {true, false}) {
      Dataset data = xor_dataset(50, 1);
      data.inputs(17, 1) = bad;
      TrainingOptions options;
      options.output_capnorm = capnorm;
      options.batch_size = 10;
      options.max_epochs = 20;
      const Trainer trainer(pool, options);
      const NetData net = net_data(data, data, 2);
      NetRun run = trainer.start(0, 1e-3, 1, net);
      while (run.running()) train_epoch(trainer, run, net);
      expect_finite(run.kept.network);
      expect_finite(run.current.network);
    }
  }
}

/// Weights that overflow in the very last iteration of an epoch: validation alone may not notice, as relu
/// takes NaN for 0 and an error rate is always finite.
TEST(Trainer, WeightsThatAreNotFiniteAreNeverKept) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(50, 1);
  TrainingOptions options;
  options.radial_step = 1e60;
  options.output_capnorm = false;
  const Trainer trainer(pool, options);
  const NetData net = net_data(data, data, 2);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  for (int epoch = 0; epoch < 5 && run.running(); ++epoch) train_epoch(trainer, run, net);
  EXPECT_EQ(run.protocol.phase(), Phase::failed);
  expect_finite(run.kept.network);
  expect_finite(run.current.network);
}

TEST(Trainer, AReportSaysHowTheProtocolGoesOn) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(100, 1);
  const Dataset validation = xor_dataset(100, 2);
  TrainingOptions options;
  options.batch_size = 20;
  options.patience = 3;
  options.unit_lifetime = 7;
  options.fine_patience = 2;
  const Trainer trainer(pool, options);
  const NetData net = net_data(data, validation, 2);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  bool waited = false;
  bool settled = false;
  while (run.running()) {
    const EpochReport report = train_epoch(trainer, run, net);
    EXPECT_EQ(report.next_phase, run.protocol.phase());
    EXPECT_EQ(report.running, run.running());
    EXPECT_EQ(report.lowest, run.protocol.lowest_error());
    EXPECT_EQ(report.waited, run.protocol.waited());
    EXPECT_EQ(report.patience, run.protocol.patience());
    EXPECT_EQ(report.to_go, run.protocol.epochs_to_go());
    waited = waited || report.waited > 0;
    settled = settled ||
              (report.next_phase == Phase::settle && report.patience > 6.9);  // a lifetime, up to rounding
  }
  EXPECT_TRUE(waited && settled);
}

TEST(Trainer, SmallImprovementsCountWhereErrorsAreShares) {
  ThreadPool pool(1);
  const auto improves = [&](Metric metric, bool break_ties, std::size_t classes) {
    TrainingOptions options;
    options.metric = metric;
    options.break_ties = break_ties;
    const Dataset data = random_dataset(20, 2, classes, 1);
    const NetData net = net_data(data, data, classes);
    Protocol protocol = Trainer(pool, options).start(0, 1e-3, 1, net).protocol;
    EXPECT_TRUE(protocol.advance(0.5, false).keep);
    EXPECT_TRUE(protocol.advance(0.499, false).keep);
    return protocol.advance(0.49899, false).keep;
  };
  EXPECT_TRUE(improves(Metric::error, false, 2));
  EXPECT_TRUE(improves(Metric::auc, true, 2));
  EXPECT_FALSE(improves(Metric::auc, false, 2)) << "nearly smooth";
  EXPECT_FALSE(improves(Metric::log_loss, false, 2));
  EXPECT_FALSE(improves(Metric::error, false, 0)) << "squares";
}

TEST(Trainer, AReportTellsTurnsOfLayersWhereUnitsTurned) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(100, 1);
  const NetData net = net_data(data, data, 2);
  TrainingOptions options;
  options.batch_size = 20;  // 5 steps an epoch
  options.fixed_size = {4, 3};
  const Trainer trainer(pool, options);
  NetRun run = trainer.start(0, 1e-3, 1, net);
  std::vector<std::size_t> steps;
  for (const LayerSteps& layer : train_epoch(trainer, run, net).layer_steps)
    steps.push_back(layer.unit_steps);
  EXPECT_EQ(steps, (std::vector<std::size_t>{5 * 4, 5 * 3, 5 * 2}));
  EpochReport none;
  Trainer::tell_steps(std::vector<StepTally>(3), none);
  EXPECT_TRUE(none.layer_steps.empty());
}

TEST(Trainer, ALimitWhereItWouldRewindLeavesTheLastStateToWhoKeepsIt) {
  ThreadPool pool(1);
  const Dataset data = random_dataset(50, 2, 2, 1);
  const Dataset validation = random_dataset(50, 2, 2, 2);
  const NetData net = net_data(data, validation, 2);
  const auto trained = [&](const TrainingOptions& options, std::optional<EpochReport>& rewound) {
    const Trainer trainer(pool, options);
    NetRun run = trainer.start(0, 1e-3, 1, net);
    rewound.reset();
    while (run.running() && !rewound) {
      const EpochReport report = train_epoch(trainer, run, net);
      if (report.rewound_to) rewound = report;
    }
    return run;
  };
  TrainingOptions options;
  options.patience = 3;
  options.keep = Keep::last;
  std::optional<EpochReport> rewound;
  const NetRun first = trained(options, rewound);
  ASSERT_TRUE(rewound && first.running()) << "whoever keeps the last state rewinds on the way, too";
  EXPECT_LT(first.current.epoch, rewound->epoch);
  options.max_epochs = rewound->epoch;
  const NetRun last = trained(options, rewound);
  EXPECT_FALSE(rewound);
  EXPECT_EQ(last.current.epoch, options.max_epochs);
  options.keep = Keep::best;
  const NetRun best = trained(options, rewound);
  EXPECT_TRUE(rewound);
  EXPECT_EQ(best.current, best.kept);
  EXPECT_LT(best.current.epoch, options.max_epochs);
}

TEST(Trainer, ALimitLeavesFewerEpochsToGo) {
  ThreadPool pool(1);
  const Dataset data = xor_dataset(100, 1);
  TrainingOptions options;
  options.batch_size = 20;  // 5 steps an epoch
  const NetData net = net_data(data, data, 2);
  const auto left_after_two = [&](const TrainingOptions& limited) {
    const Trainer trainer(pool, limited);
    NetRun run = trainer.start(0, 1e-3, 1, net);
    train_epoch(trainer, run, net);
    return train_epoch(trainer, run, net).to_go;
  };
  EXPECT_GT(left_after_two(options), 200) << "patience is 100, three times";
  options.max_epochs = 6;
  EXPECT_EQ(left_after_two(options), 4);
  options.max_steps = 15;
  EXPECT_EQ(left_after_two(options), 1);
  options.max_epochs = 2;
  EXPECT_EQ(left_after_two(options), 0);
}

}  // namespace
}  // namespace coppice
