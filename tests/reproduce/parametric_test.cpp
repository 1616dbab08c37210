#include "coppice/reproduce/parametric.h"

#include "coppice/device/processor.h"

#include "tests/reproduce/poker_session.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice::reproduce {
namespace {

TrialResult result(double step, double error, std::uint64_t seed = 0) {
  TrialResult one;
  one.trial = {
      .hidden = {4}, .optimizer = OptimizerKind::sgd, .step = step, .norm = Norm::batchnorm, .seed = seed};
  one.parameters = 10;
  one.validation_error = error;
  if (std::isfinite(error)) one.test_error = 2 * error;
  one.phase = std::isfinite(error) ? "done" : "failed";
  return one;
}

TEST(SettingsOf, HoldTheRunsOfTheirSeedsAndTheBestComesFirst) {
  const std::vector<Setting> settings =
      settings_of({result(1, 0.3), result(2, std::nan("")), result(3, 0.1), result(3, 0.2, 1),
                   result(1, 0.4, 1), result(2, std::nan(""), 1)});
  ASSERT_EQ(settings.size(), 3U);
  EXPECT_EQ(settings[0].trial.step, 3);
  EXPECT_EQ(settings[0].runs.size(), 2U);
  EXPECT_DOUBLE_EQ(settings[0].test.median, 0.3);
  EXPECT_EQ(settings[1].trial.step, 1);
  EXPECT_EQ(settings[2].trial.step, 2);
  EXPECT_EQ(settings[2].test.median, 1) << "as bad as can be";
}

Setting setting(std::size_t parameters) {
  Setting one;
  one.parameters = parameters;
  return one;
}

TEST(TwoOrThree, ShowsTheBestASmallerOneAndTheSmallest) {
  const auto sizes = [](const std::vector<Setting>& settings) {
    std::vector<std::size_t> all;
    for (const Setting& one : two_or_three(settings)) all.push_back(one.parameters);
    return all;
  };
  EXPECT_EQ(sizes({setting(50), setting(70), setting(40), setting(10), setting(20)}),
            (std::vector<std::size_t>{50, 40, 10}));
  EXPECT_EQ(sizes({setting(50), setting(70), setting(10)}), (std::vector<std::size_t>{50, 10}));
  EXPECT_EQ(sizes({setting(10), setting(70)}), (std::vector<std::size_t>{10}));
}

using ParametricNets = test::PokerSession;

TEST_F(ParametricNets, AreTrainedOnceAndRerunWithOtherSeeds) {
  Parametric nets(session, find_poker(session), {{"max-epochs", "2"}});
  SearchSpace space;
  space.optimizers = {OptimizerKind::rmsprop};
  space.normalised_steps.values = {1e-3, 1e-2};
  space.sizes = {{4}, {3}};
  const std::vector<TrialResult> all = nets.train(grid_trials(space, 0), "grid");
  ASSERT_EQ(all.size(), 8U);
  const std::vector<std::vector<TrialResult>> lists{{all.begin(), all.begin() + 4},
                                                    {all.begin() + 4, all.end()}};
  const auto again = rerun_best(nets, lists, 2, 3, "again");
  ASSERT_EQ(again.size(), 2U);
  for (std::size_t list = 0; list < 2; ++list) {
    ASSERT_EQ(again[list].size(), 2U);
    EXPECT_LE(again[list][0].validation.median, again[list][1].validation.median);
    for (const Setting& one : again[list]) {
      ASSERT_EQ(one.runs.size(), 3U);
      EXPECT_EQ(one.trial.hidden, space.sizes[list]);
      EXPECT_EQ(one.runs[0].trial.seed, 0U);
      EXPECT_EQ(one.runs[2].trial.seed, 2U);
      EXPECT_GE(one.test.high, one.test.low);
    }
  }
  EXPECT_EQ(nets.origin().seeds, "0 to 2");
  EXPECT_EQ(nets.origin().device, processor_name() + ", 1 thread");

  session.stop = [] { return true; };
  Parametric later(session, find_poker(session), {{"max-epochs", "2"}});
  EXPECT_EQ(later.train(grid_trials(space, 0), "grid").size(), 8U) << "all there: nothing is left to stop";
  EXPECT_THROW(later.train(grid_trials(space, 9), "grid"), Interrupted);
}

TEST_F(ParametricNets, GoOnOnTheCpuIfTheGpuIsTooSmall) {
  const Trial trial{
      .hidden = {4}, .optimizer = OptimizerKind::rmsprop, .step = 1e-2, .norm = Norm::batchnorm, .seed = 0};
  int asked = 0;
  session.stop = [&]() -> bool { return ++asked == 2 ? throw GpuOutOfMemory("too small") : false; };
  const auto train = [&] {
    return Parametric(session, find_poker(session), {{"max-epochs", "2"}}).train({trial}, "one");
  };
  EXPECT_THROW(train(), GpuOutOfMemory) << "the user chose the device";
  session.device.reset();
  asked = 0;
  const std::vector<TrialResult> results = train();
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].epochs, 2U);
  EXPECT_THAT(said, ::testing::HasSubstr("too small; the CPU takes over"));
}

}  // namespace
}  // namespace coppice::reproduce
