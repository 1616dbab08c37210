#include "experiments/parametric.h"

#include "coppice/device/processor.h"

#include "tests/experiments/poker_session.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

TrialResult result(double step, double error, std::uint64_t seed = 0) {
  TrialResult one;
  one.trial = {
      .hidden = {4}, .optimizer = OptimizerKind::sgd, .step = step, .norm = Norm::batchnorm, .seed = seed};
  one.parameters = 10;
  one.validation_error = one.criterion = error;
  if (std::isfinite(error)) one.test_error = 2 * error;
  one.phase = std::isfinite(error) ? "done" : "failed";
  return one;
}

TEST(SettingsOf, HoldTheRunsOfTheirSeedsAndTheBestComesFirst) {
  const std::vector<TriedSetting> settings =
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

TriedSetting setting(std::size_t parameters) {
  TriedSetting one;
  one.parameters = parameters;
  return one;
}

TEST(TwoOrThree, ShowsTheBestASmallerOneAndTheSmallest) {
  const auto sizes = [](const std::vector<TriedSetting>& settings) {
    std::vector<std::size_t> all;
    for (const TriedSetting& one : two_or_three(settings)) all.push_back(one.parameters);
    return all;
  };
  EXPECT_EQ(sizes({setting(50), setting(70), setting(40), setting(10), setting(20)}),
            (std::vector<std::size_t>{50, 40, 10}));
  EXPECT_EQ(sizes({setting(50), setting(70), setting(10)}), (std::vector<std::size_t>{50, 10}));
  EXPECT_EQ(sizes({setting(10), setting(70)}), (std::vector<std::size_t>{10}));
}

TEST(Ordered, ResultsComeAsTheirTrialsDoAndRerunsBySeed) {
  const std::vector<Trial> trials{result(3, 0).trial, result(1, 0).trial};
  const std::vector<TrialResult> all =
      ordered({result(1, 0, 2), result(1, 0), result(1, 0, 1), result(3, 0)}, trials);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].trial, trials[0]);
  EXPECT_EQ(all[1].trial, trials[1]);
  EXPECT_EQ(all[2].trial.seed, 1U);
  EXPECT_EQ(all[3].trial.seed, 2U);
  EXPECT_THAT(test::message_of([&] { ordered({result(1, 0)}, trials); }), ::testing::HasSubstr("is missing"));
}

using ParametricNets = test::PokerSession;

/// A grid of two steps and two norms, the two best of them with three seeds.
SearchSpace small_space() {
  SearchSpace space;
  space.kind = SearchKind::grid;
  space.optimizers = {OptimizerKind::rmsprop};
  space.normalised_steps.values = {1e-3, 1e-2};
  space.sizes = {{4}};
  space.top = 2;
  space.reruns = 3;
  return space;
}

TEST_F(ParametricNets, AreTrainedOnceAndTheBestWithOtherSeeds) {
  Parametric nets(session, find_poker(session), {{"max-epochs", "2"}});
  const Tried tried = nets.search("size-4", small_space());
  ASSERT_EQ(tried.first.size(), 4U);
  EXPECT_EQ(tried.first[0].trial.norm, tried.first[1].trial.norm) << "in the order of the space";
  EXPECT_EQ(tried.first[0].trial.step, 1e-3);
  EXPECT_EQ(tried.first[1].trial.step, 1e-2);
  ASSERT_EQ(tried.settings.size(), 2U);
  EXPECT_LE(tried.settings[0].validation.median, tried.settings[1].validation.median);
  for (const TriedSetting& one : tried.settings) {
    ASSERT_EQ(one.runs.size(), 3U);
    EXPECT_EQ(one.runs[0].trial.seed, 0U);
    EXPECT_EQ(one.runs[2].trial.seed, 2U);
    EXPECT_GE(one.test.high, one.test.low);
  }
  EXPECT_EQ(nets.provenance().seeds, "0 to 2");
  EXPECT_EQ(nets.provenance().device, processor_name() + ", 1 thread");
  EXPECT_EQ(nets.provenance().precision, "fp32");

  session.stop = [] { return true; };
  Parametric later(session, find_poker(session), {{"max-epochs", "2"}});
  EXPECT_THROW(later.search("size-4", small_space()), Interrupted);
  session.stop = [] { return false; };
  const Tried again = later.search("size-4", small_space());
  EXPECT_THAT(said, ::testing::HasSubstr("poker-parametric/size-4: already there"));
  EXPECT_EQ(again.settings[1].runs[2].test_error, tried.settings[1].runs[2].test_error);
  EXPECT_EQ(later.provenance().seconds, nets.provenance().seconds);
}

TEST_F(ParametricNets, OfAnotherSpaceAreNotMixedUp) {
  Parametric nets(session, find_poker(session), {{"max-epochs", "2"}});
  nets.search("size-4", small_space());
  SearchSpace other = small_space();
  other.reruns = 2;
  EXPECT_THAT(test::message_of([&] { nets.search("size-4", other); }),
              ::testing::HasSubstr("other settings"));
}

}  // namespace
}  // namespace coppice::experiments
