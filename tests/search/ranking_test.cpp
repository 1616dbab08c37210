#include "coppice/search/ranking.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t seed = 3;

TrialResult result(double step, double error, std::size_t parameters = 10, std::uint64_t of_seed = seed,
                   const std::string& phase = "done") {
  return {.trial = {.hidden = {4}, .optimizer = OptimizerKind::sgd, .step = step, .seed = of_seed},
          .parameters = parameters,
          .validation_error = error,
          .criterion = error,
          .test_error = error / 2,
          .train_loss = 0,
          .epochs = 7,
          .phase = phase};
}

std::vector<double> steps_of(const std::vector<RankedSetting>& ranked) {
  std::vector<double> steps;
  for (const RankedSetting& setting : ranked) steps.push_back(setting.trial.step);
  return steps;
}

TEST(Ranking, IsByErrorThenSizeThenOrder) {
  const std::vector<TrialResult> results{result(1, 0.3), result(2, 0.1, 20), result(3, 0.1, 10),
                                         result(4, 0.1, 20), result(5, 0.2)};
  EXPECT_THAT(steps_of(rank_settings(results)), ElementsAre(3, 2, 4, 5, 1));
}

TEST(Ranking, WhatDivergedComesLastWhateverItsError) {
  const std::vector<TrialResult> results{result(1, 0.01, 1, seed, "failed"), result(2, std::nan("")),
                                         result(3, 0.9), result(4, 0.5, 1, seed, "anneal")};
  const std::vector<RankedSetting> ranked = rank_settings(results);
  EXPECT_THAT(steps_of(ranked), ElementsAre(4, 3, 1, 2));
  EXPECT_EQ(ranked[2].failed, 1U);
  EXPECT_FALSE(ranked[2].test_error);
  EXPECT_FALSE(best_net(ranked[2], results));
  EXPECT_EQ(best_net(ranked[0], results), 3U);
}

TEST(Ranking, SeedsOfASettingCountByTheirMedianAndComeFirst) {
  std::vector<TrialResult> results{result(1, 0.10), result(2, 0.11), result(3, 0.12)};
  const auto add = [&](double step, std::initializer_list<double> errors) {
    std::uint64_t next = seed;
    for (const double error : errors) results.push_back(result(step, error, 10, ++next));
  };
  add(1, {0.4, 0.2});
  add(2, {0.19, 0.05});
  const std::vector<RankedSetting> ranked = rank_settings(results);
  EXPECT_THAT(steps_of(ranked), ElementsAre(2, 1, 3));
  EXPECT_DOUBLE_EQ(ranked[0].validation_error.median, 0.11);
  EXPECT_DOUBLE_EQ(ranked[0].validation_error.low, 0.05);
  EXPECT_DOUBLE_EQ(ranked[0].validation_error.high, 0.19);
  EXPECT_DOUBLE_EQ(ranked[0].test_error->median, 0.055);
  EXPECT_THAT(ranked[0].results, ElementsAre(1, 5, 6));
  EXPECT_EQ(best_net(ranked[0], results), 6U);
}

TEST(Ranking, TheCriterionDecidesAndTheErrorIsShown) {
  std::vector<TrialResult> results{result(1, 0.1), result(2, 0.2)};
  results[0].criterion = 0.7;
  results[1].criterion = 0.6;
  const std::vector<RankedSetting> ranked = rank_settings(results);
  EXPECT_THAT(steps_of(ranked), ElementsAre(2, 1));
  EXPECT_DOUBLE_EQ(ranked[0].validation_error.median, 0.2);
  EXPECT_DOUBLE_EQ(ranked[0].criterion.median, 0.6);
}

TEST(Ranking, ASettingThatDivergesWithHalfOfItsSeedsIsNotTheBest) {
  const std::vector<TrialResult> results{result(1, 0.1), result(2, 0.2),
                                         result(1, std::nan(""), 10, seed + 1, "failed"),
                                         result(2, 0.3, 10, seed + 1)};
  const std::vector<RankedSetting> ranked = rank_settings(results);
  EXPECT_THAT(steps_of(ranked), ElementsAre(2, 1));
  EXPECT_EQ(ranked[1].failed, 1U);
}

TEST(Reruns, AreTheSeedsThatTheBestSettingsLack) {
  const std::vector<TrialResult> results{result(1, 0.3), result(2, 0.1), result(3, 0.2),
                                         result(4, 0.1, 10, seed, "failed")};
  const std::vector<RankedSetting> ranked = rank_settings(results);
  const std::vector<Trial> trials = rerun_trials(ranked, 2, 3, seed);
  ASSERT_EQ(trials.size(), 4U);
  EXPECT_EQ(trials[0].step, 2);
  EXPECT_EQ(trials[0].seed, seed + 1);
  EXPECT_EQ(trials[1].step, 2);
  EXPECT_EQ(trials[1].seed, seed + 2);
  EXPECT_EQ(trials[2].step, 3);
  EXPECT_EQ(rerun_trials(ranked, 10, 2, seed).size(), 3U) << "what diverged is not trained again";
  EXPECT_THAT(rerun_trials(ranked, 10, 1, seed), IsEmpty());
}

}  // namespace
}  // namespace coppice
