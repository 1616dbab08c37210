#include "coppice/search/space.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <set>

#include <fmt/format.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;

SearchSpace random_space() {
  SearchSpace space;
  space.layers = {{10, 200}, {5, 5}};
  return space;
}

TEST(SearchSpace, DefaultsAreThePapers) {
  const SearchSpace space;
  EXPECT_EQ(space.optimizers.size(), 5U);
  EXPECT_THAT(space.norms, ElementsAre(Norm::batchnorm, Norm::batchnorm_affine));
  EXPECT_THAT(space.steps.values, ElementsAre(1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000));
  EXPECT_THAT(space.normalised_steps.values,
              ElementsAre(1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1));
  EXPECT_EQ(space.normalised_steps.low, 1e-5);
  EXPECT_EQ(space.normalised_steps.high, 1);
}

TEST(GridTrials, AreEveryCombinationOnce) {
  SearchSpace space;
  space.sizes = {{186, 43}, {64, 11}, {7}};
  const std::vector<Trial> trials = grid_trials(space, 4);
  ASSERT_EQ(trials.size(), 3U * 5 * 2 * 11);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    EXPECT_EQ(std::ranges::count(trials, trials[i]), 1);
    EXPECT_EQ(trials[i].seed, 4U);
    const bool small = trials[i].step <= 1;
    EXPECT_TRUE(normalises(trials[i].optimizer) ? small : trials[i].step >= 1);
  }
  EXPECT_EQ(trials.front().hidden, (std::vector<std::size_t>{186, 43}));
  EXPECT_EQ(trials.back().hidden, (std::vector<std::size_t>{7}));
}

TEST(RandomTrials, StayInTheirRangesAndReachAllOfThem) {
  const std::vector<Trial> trials = random_trials(random_space(), 2000, 3);
  ASSERT_GT(trials.size(), 1990U) << "hardly any is drawn twice";
  std::map<OptimizerKind, int> optimizers;
  std::map<Norm, int> norms;
  std::set<std::size_t> widths;
  for (const Trial& trial : trials) {
    ++optimizers[trial.optimizer];
    ++norms[trial.norm];
    ASSERT_EQ(trial.hidden.size(), 2U);
    EXPECT_EQ(trial.hidden[1], 5U);
    widths.insert(trial.hidden[0]);
    const double unit = normalises(trial.optimizer) ? 1e-5 : 1;
    EXPECT_GE(trial.step, unit);
    EXPECT_LE(trial.step, 1e5 * unit);
  }
  EXPECT_EQ(*widths.begin(), 10U);
  EXPECT_EQ(*widths.rbegin(), 200U);
  EXPECT_EQ(widths.size(), 191U);
  ASSERT_EQ(optimizers.size(), 5U);
  for (const auto& [kind, count] : optimizers) EXPECT_NEAR(count, 400, 90) << static_cast<int>(kind);
  ASSERT_EQ(norms.size(), 2U);
  for (const auto& [kind, count] : norms) EXPECT_NEAR(count, 1000, 120) << static_cast<int>(kind);
}

/// Every decade of steps is as likely as any other: Kolmogorov-Smirnov distance of the logarithms, at 1 in 1000.
TEST(RandomTrials, StepsAreUniformInTheirLogarithm) {
  SearchSpace space = random_space();
  space.optimizers = {OptimizerKind::momentum};
  const std::vector<Trial> trials = random_trials(space, 3000, 9);
  std::vector<double> logs;
  for (const Trial& trial : trials) logs.push_back(std::log10(trial.step) / 5);
  std::ranges::sort(logs);
  double distance = 0;
  for (std::size_t i = 0; i < logs.size(); ++i)
    distance = std::max(distance, std::abs(logs[i] - static_cast<double>(i) / 3000));
  EXPECT_LT(distance, 1.95 / std::sqrt(3000));
}

TEST(RandomTrials, ALongerListBeginsWithTheShorterAndSeedsDiffer) {
  const std::vector<Trial> few = random_trials(random_space(), 20, 3);
  std::vector<Trial> many = random_trials(random_space(), 50, 3);
  many.resize(20);
  EXPECT_EQ(few, many);
  const std::vector<Trial> other = random_trials(random_space(), 20, 4);
  EXPECT_NE(few.front().step, other.front().step);
}

TEST(RandomTrials, ASettingThatIsDrawnAgainIsTriedOnce) {
  SearchSpace space;
  space.layers = {{3, 4}};
  space.optimizers = {OptimizerKind::sgd};
  space.norms = {Norm::none};
  space.steps.low = space.steps.high = 10;
  const std::vector<Trial> trials = random_trials(space, 50, 1);
  EXPECT_EQ(trials.size(), 2U);
  EXPECT_EQ((std::set<Trial>(trials.begin(), trials.end()).size()), 2U);
}

TEST(RandomTrials, StepsHaveThreeDigitsAndNeverLeaveTheirRange) {
  SearchSpace space = random_space();
  space.steps.low = 1.23456;
  space.steps.high = 1.24567;
  space.normalised_steps = space.steps.scaled(1e-5);
  EXPECT_EQ(space.normalised_steps.low, 1.23456e-5);
  for (const Trial& trial : random_trials(space, 200, 1)) {
    const StepSpace& steps = space.steps_of(trial.optimizer);
    EXPECT_GE(trial.step, steps.low);
    EXPECT_LE(trial.step, steps.high);
  }
  for (const Trial& trial : random_trials(random_space(), 50, 1))
    EXPECT_EQ(std::stod(fmt::format("{:.3g}", trial.step)), trial.step);
}

}  // namespace
}  // namespace coppice
