#include "coppice/analysis/held_out.h"

#include "coppice/model/parts.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;

ModelParts model_of(Task task) {
  ModelParts model;
  model.encoding.task = task;
  if (task == Task::classification) model.encoding.target.classes = {"a", "b"};
  return model;
}

Answers numbers(const std::vector<double>& answers, const std::vector<double>& targets) {
  Answers all{.scores = Matrix<float>(answers.size(), 1), .known = {}};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    all.scores(i, 0) = static_cast<float>(answers[i]);
    all.known.targets.push_back(static_cast<float>(targets[i]));
  }
  return all;
}

/// Rows whose errors are `slope` times as large as their answers, from 1 to 2, above and below by turns.
Answers growing(std::size_t rows, double slope) {
  std::vector<double> answers;
  std::vector<double> targets;
  for (std::size_t i = 0; i < rows; ++i) {
    answers.push_back(1 + static_cast<double>(i) / static_cast<double>(rows));
    targets.push_back(answers[i] * (1 + (i % 2 == 0 ? slope : -slope)));
  }
  return numbers(answers, targets);
}

TEST(HeldOut, ErrorsOfNumbersAreMeasuredBesideTheirAnswers) {
  const Conformity conformity = conformity_of(growing(1000, 0.5), model_of(Task::regression));
  EXPECT_EQ(conformity.rows, 1000U);
  ASSERT_TRUE(conformity.valid());
  ASSERT_EQ(conformity.answers.size(), 5U);
  EXPECT_NEAR(conformity.answers[0], 1.1, 2e-3);
  EXPECT_NEAR(conformity.answers[4], 1.9, 2e-3);
  EXPECT_NEAR(conformity.spread(1.3) / conformity.spread(1.7), 1.3 / 1.7, 0.03);
  const double reach = conformity.score_at(conformity.rank_of(0.9));
  EXPECT_NEAR(reach * conformity.spread(1.5), 0.75, 0.03);
}

TEST(HeldOut, FewRowsAreHelpedByAll) {
  const Conformity conformity = conformity_of(growing(10, 0.5), model_of(Task::regression));
  ASSERT_EQ(conformity.errors.size(), 5U);
  // Two rows beside twenty of the mean, 0.725: (2 * 0.525 + 20 * 0.725) / 22.
  EXPECT_NEAR(conformity.errors[0], 0.7068, 1e-4);
}

TEST(HeldOut, ExactAnswersReachNowhereAndOneAnswerIsOneSpread) {
  const Conformity exact =
      conformity_of(numbers({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}), model_of(Task::regression));
  EXPECT_TRUE(exact.answers.empty());
  EXPECT_EQ(exact.score_at(6), 0.0);
  const Conformity same =
      conformity_of(numbers({1, 1, 1, 1, 1, 1}, {1, 2, 3, 4, 5, 6}), model_of(Task::regression));
  EXPECT_EQ(same.answers.size(), 1U);
  EXPECT_TRUE(same.valid());
}

Answers classes(const std::vector<float>& odds, const std::vector<std::uint32_t>& labels) {
  Answers answers{.scores = Matrix<float>(odds.size(), 2), .known = {}};
  for (std::size_t i = 0; i < odds.size(); ++i) answers.scores(i, 1) = odds[i];
  answers.known.labels = labels;
  return answers;
}

TEST(HeldOut, ScoresOfClassesAreThoseOfTheRightOneWithTheTemperature) {
  ModelParts model = model_of(Task::classification);
  model.temperature = 2;
  const Conformity conformity = conformity_of(classes({0, 4, -2, 4}, {0, 1, 0, 0}), model);
  EXPECT_EQ(conformity.rows, 4U);
  ASSERT_EQ(conformity.scores.size(), 4U);
  EXPECT_NEAR(conformity.scores[0], std::log(1 + std::exp(-2)), 1e-4);
  EXPECT_NEAR(conformity.scores[1], std::log(1 + std::exp(-1)), 1e-4);
  EXPECT_NEAR(conformity.scores[2], std::log(2), 1e-4);
  EXPECT_NEAR(conformity.scores[3], std::log(1 + std::exp(2)), 1e-3);
  EXPECT_TRUE(conformity.answers.empty());
}

TEST(HeldOut, ScoresAreRoundedUpToFewDigits) {
  std::vector<float> odds;
  for (int i = 0; i < 99; ++i) odds.push_back(static_cast<float>(8 - i / 7.0));
  const Conformity conformity =
      conformity_of(classes(odds, std::vector<std::uint32_t>(99, 1)), model_of(Task::classification));
  const std::vector<std::size_t> ranks = kept_ranks(99);
  ASSERT_EQ(conformity.scores.size(), ranks.size());
  for (std::size_t j = 0; j < ranks.size(); ++j) {
    const double exact = std::log1p(std::exp(-static_cast<double>(odds[ranks[j] - 1])));
    EXPECT_GE(conformity.scores[j], exact * (1 - 1e-9));
    EXPECT_LE(conformity.scores[j], exact * (1 + 1e-3));
  }
}

TEST(HeldOut, AClassThatTrainingNeverSawScoresMost) {
  const Conformity conformity = conformity_of(classes({0, 4, -2}, {0, 1, 2}), model_of(Task::classification));
  EXPECT_EQ(conformity.scores.back(), 1000.0);
}

TEST(HeldOut, RowsCountByTheirWeights) {
  // Weights of 3 are three rows where it comes to quantiles, but copies are no new evidence.
  Answers answers = classes({0, 1, 2, 3}, {1, 1, 1, 1});
  answers.known.weights = {1, 1, 0, 2};
  const Conformity conformity = conformity_of(answers, model_of(Task::classification));
  EXPECT_EQ(conformity.rows, 2U) << "4 * 4 / 6";
  ASSERT_EQ(conformity.scores.size(), 2U);
  EXPECT_NEAR(conformity.scores[0], std::log(1 + std::exp(-3)), 1e-4) << "half of the weight";
  EXPECT_NEAR(conformity.scores[1], std::log(2), 1e-4);
  answers.known.weights = {2, 2, 2, 2};
  EXPECT_EQ(conformity_of(answers, model_of(Task::classification)).rows, 4U);
}

TEST(HeldOut, NetsThatDivergedTellNothing) {
  Answers answers = growing(10, 0.5);
  answers.scores(3, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(conformity_of(answers, model_of(Task::regression)).rows, 0U);
  EXPECT_EQ(conformity_of({}, model_of(Task::regression)).rows, 0U);
}

}  // namespace
}  // namespace coppice
