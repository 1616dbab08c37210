#include "coppice/model/interval.h"

#include "tests/model/models.h"

#include <cmath>
#include <gmock/gmock.h>

#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Its 99 rows scored 0.01 to 0.99: a level of so many percent reaches that far.
Conformity percents() {
  Conformity conformity;
  conformity.rows = 99;
  for (const std::size_t rank : kept_ranks(99)) conformity.scores.push_back(static_cast<double>(rank) / 100);
  return conformity;
}

ModelParts classes_model() {
  ModelParts model = small_model();
  model.temperature = 2;
  model.conformity = percents();
  return model;
}

ModelParts numbers_model() {
  ModelParts model = small_model();
  model.encoding.task = Task::regression;
  model.encoding.target = {.name = "price", .classes = {}, .mean = 100, .deviation = 10};
  model.conformity = percents();
  return model;
}

/// The same from each net: one number for each row, or the scores of classes.
NetScores said_by(const std::vector<Matrix<float>>& nets) {
  NetScores all{.averaged = nets.front(), .one_by_one = nets};
  for (std::size_t i = 0; i < all.averaged.rows(); ++i) {
    for (std::size_t k = 0; k < all.averaged.cols(); ++k) {
      float sum = 0;
      for (const Matrix<float>& net : nets) sum += net(i, k);
      all.averaged(i, k) = sum / static_cast<float>(nets.size());
    }
  }
  return all;
}

Matrix<float> rows_of(const std::vector<std::vector<float>>& values) {
  Matrix<float> scores(values.size(), values[0].size());
  for (std::size_t i = 0; i < values.size(); ++i) std::ranges::copy(values[i], scores.row(i).begin());
  return scores;
}

PredictOptions asking(double level) {
  PredictOptions options;
  options.interval = level;
  return options;
}

TEST(Interval, ALevelTakesTheRankOfItsShareOfTheRows) {
  EXPECT_FALSE(interval_rank(classes_model(), {}));
  EXPECT_EQ(interval_rank(classes_model(), asking(0.9)), 90U);
  EXPECT_EQ(interval_rank(classes_model(), asking(0.5)), 50U);
  EXPECT_EQ(interval_rank(classes_model(), asking(0.99)), 99U);
}

TEST(Interval, WhatCannotBeToldIsRefused) {
  const auto refusal = [](const ModelParts& model, double level) {
    return message_of([&] { interval_rank(model, asking(level)); });
  };
  for (const double level : {0.0, 1.0, -0.5, 1.5, std::nan("")})
    EXPECT_THAT(refusal(classes_model(), level),
                AllOf(HasSubstr("`interval`"), HasSubstr("between 0 and 1")));
  EXPECT_THAT(refusal(classes_model(), 0.995), AllOf(HasSubstr("99 rows"), HasSubstr("0.99 at most")));
  EXPECT_THAT(refusal(small_model(), 0.9), HasSubstr("train it again"));
}

TEST(Interval, NumbersLieAroundTheAnswerOfOneNet) {
  const Intervals intervals = intervals_of(numbers_model(), said_by({rows_of({{0}, {2}})}), 90);
  EXPECT_THAT(intervals.lower, ElementsAre(91, 111));
  EXPECT_THAT(intervals.upper, ElementsAre(109, 129));
  EXPECT_TRUE(intervals.sets.empty());
}

TEST(Interval, IsWideWhereErrorsAre) {
  ModelParts model = numbers_model();
  model.conformity.answers = {0, 2};
  model.conformity.errors = {1, 3};
  const Intervals intervals = intervals_of(model, said_by({rows_of({{0}, {1}})}), 50);
  EXPECT_THAT(intervals.lower, ElementsAre(95, 100));
  EXPECT_THAT(intervals.upper, ElementsAre(105, 120));
}

TEST(Interval, OfLogarithmsIsInTheTargetsOwnUnits) {
  ModelParts model = numbers_model();
  model.encoding.target.transform = TargetTransform::log;
  model.encoding.target.mean = 2;
  model.encoding.target.deviation = 0.5;
  const Intervals intervals = intervals_of(model, said_by({rows_of({{1}})}), 40);
  EXPECT_DOUBLE_EQ(intervals.lower[0], std::exp(2.3));
  EXPECT_DOUBLE_EQ(intervals.upper[0], std::exp(2.7));
}

/// An end of CV+ by its definition: of every net's answer and every row that was kept, counted as often as it stands for rows.
double end_by_definition(const Conformity& conformity, const std::vector<double>& answers, double sign,
                         std::size_t rank) {
  std::vector<double> ends;
  const std::vector<std::size_t> ranks = kept_ranks(conformity.rows);
  for (const double answer : answers) {
    for (std::size_t j = 0; j < ranks.size(); ++j)
      ends.insert(ends.end(), ranks[j] - (j > 0 ? ranks[j - 1] : 0),
                  sign * answer + conformity.scores[j] * conformity.spread(answer));
  }
  std::ranges::sort(ends);
  return sign * ends[rank * answers.size() - 1];
}

RC_GTEST_PROP(Interval, NumbersOfSeveralNetsAreThoseOfCvPlus, ()) {
  ModelParts model = numbers_model();
  model.encoding.target.mean = 0;
  model.encoding.target.deviation = 1;
  const auto rows = *rc::gen::inRange<std::size_t>(1, 300);
  model.conformity = {.rows = rows, .scores = {}, .answers = {-1, 1}, .errors = {0.5, 2}};
  for (std::size_t j = 0; j < kept_ranks(rows).size(); ++j)
    model.conformity.scores.push_back(*rc::gen::inRange(0, 100) / 25.0);
  std::ranges::sort(model.conformity.scores);
  std::vector<Matrix<float>> nets;
  std::vector<double> answers;
  for (int n = *rc::gen::inRange(1, 6); n > 0; --n) {
    answers.push_back(*rc::gen::inRange(-32, 33) / 16.0);
    nets.push_back(rows_of({{static_cast<float>(answers.back())}}));
  }
  const auto rank = *rc::gen::inRange<std::size_t>(1, rows + 1);
  const Intervals intervals = intervals_of(model, said_by(nets), rank);
  RC_ASSERT(std::abs(intervals.upper[0] - end_by_definition(model.conformity, answers, 1, rank)) < 1e-9);
  RC_ASSERT(std::abs(intervals.lower[0] - end_by_definition(model.conformity, answers, -1, rank)) < 1e-9);
}

TEST(Interval, ASetHasTheClassesThatAreLikelyEnoughAndTheMostLikelyOne) {
  ModelParts model = classes_model();
  model.temperature = 1;
  // Surprises of 0.1, 2.3 and 11.1 against scores up to 0.99; of 1.03, 1.13 and 1.13, which are all more.
  const NetScores one = said_by({rows_of({{2.2F, 0, -8.8F}, {0, 0.1F, 0}})});
  EXPECT_THAT(intervals_of(model, one, 99).sets, ElementsAre(1, 0, 0, 0, 1, 0));
  for (double& score : model.conformity.scores) score *= 3;
  EXPECT_THAT(intervals_of(model, one, 70).sets, ElementsAre(1, 0, 0, 1, 1, 1)) << "up to 2.1";
  EXPECT_THAT(intervals_of(model, one, 80).sets, ElementsAre(1, 1, 0, 1, 1, 1)) << "up to 2.4";
  EXPECT_TRUE(intervals_of(model, one, 80).lower.empty());
}

TEST(Interval, AClassIsInTheSetByWhatTheNetsSayOnAverage) {
  ModelParts model = classes_model();
  model.temperature = 1;
  for (double& score : model.conformity.scores) score *= 2;
  // The second class surprises by 0.41, more than 20 rows (their scores are 0.1, 0.2, ... and from 1 on 0.02 apart), and by
  // 1.73, more than 86: 53 on average.
  const NetScores two = said_by({rows_of({{0, 1, -1}}), rows_of({{1.5F, 0.4F, 0.9F}})});
  EXPECT_EQ(intervals_of(model, two, 53).sets[1], 0);
  EXPECT_EQ(intervals_of(model, two, 54).sets[1], 1);
}

TEST(Interval, PredictionsHaveThemIfAskedFor) {
  Table table;
  table.add_numbers("age", std::vector<double>{1, 2, std::nan("")});
  table.add_texts("colour \"x\"", std::vector<std::string>{"gr\u00fcn", "", "red"});
  ModelParts parts = classes_model();
  parts.conformity.scores.assign(parts.conformity.scores.size(), 1000);
  const Model model(parts);
  EXPECT_TRUE(model.predict(table).sets.empty());
  EXPECT_DOUBLE_EQ(model.highest_interval(), 0.99);
  const Prediction prediction = model.predict(table, asking(0.9));
  ASSERT_EQ(prediction.sets.size(), 9U);
  const std::vector<std::uint32_t> set = prediction.set_of(1);
  ASSERT_EQ(set.size(), 3U);
  EXPECT_EQ(set[0], prediction.classes[1]) << "the most likely first";
  EXPECT_GE(prediction.probabilities_of(1)[set[1]], prediction.probabilities_of(1)[set[2]]);
  EXPECT_THAT(message_of([&] { model.predict(table, asking(0.999)); }), HasSubstr("99 rows"));
}

TEST(Interval, SetsOfOneRowDoNotTouchThoseOfAnother) {
  Prediction prediction;
  prediction.rows = 2;
  prediction.class_names = {"a", "b", "c"};
  prediction.probabilities = {0.2, 0.7, 0.1, 0.3, 0.1, 0.6};
  prediction.sets = {1, 1, 0, 0, 0, 1};
  EXPECT_THAT(prediction.set_of(0), ElementsAre(1, 0));
  EXPECT_THAT(prediction.set_of(1), ElementsAre(2));
}

}  // namespace
}  // namespace coppice
