#include "coppice/model/interval.h"

#include "coppice/model/predict.h"

#include "tests/model/models.h"

#include <cmath>
#include <gmock/gmock.h>

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

Matrix<float> column(const std::vector<float>& values) {
  Matrix<float> scores(values.size(), 1);
  for (std::size_t i = 0; i < values.size(); ++i) scores(i, 0) = values[i];
  return scores;
}

PredictOptions asking(double level) {
  PredictOptions options;
  options.interval = level;
  return options;
}

TEST(Interval, ALevelReachesAsFarAsItsShareOfTheRowsScored) {
  EXPECT_FALSE(reach_of(classes_model(), {}));
  EXPECT_DOUBLE_EQ(*reach_of(classes_model(), asking(0.9)), 0.90);
  EXPECT_DOUBLE_EQ(*reach_of(classes_model(), asking(0.5)), 0.50);
  EXPECT_DOUBLE_EQ(*reach_of(classes_model(), asking(0.99)), 0.99);
}

TEST(Interval, WhatCannotBeToldIsRefused) {
  const auto refusal = [](const ModelParts& model, double level) {
    return message_of([&] { reach_of(model, asking(level)); });
  };
  for (const double level : {0.0, 1.0, -0.5, 1.5, std::nan("")})
    EXPECT_THAT(refusal(classes_model(), level),
                AllOf(HasSubstr("`interval`"), HasSubstr("between 0 and 1")));
  EXPECT_THAT(refusal(classes_model(), 0.995), AllOf(HasSubstr("99 rows"), HasSubstr("0.99 at most")));
  EXPECT_THAT(refusal(small_model(), 0.9), HasSubstr("train it again"));
}

TEST(Interval, NumbersLieAroundTheAnswer) {
  const Intervals intervals = intervals_of(numbers_model(), column({0, 2}), 0.9);
  EXPECT_THAT(intervals.lower, ElementsAre(91, 111));
  EXPECT_THAT(intervals.upper, ElementsAre(109, 129));
  EXPECT_TRUE(intervals.sets.empty());
}

TEST(Interval, IsWideWhereErrorsAre) {
  ModelParts model = numbers_model();
  model.conformity.answers = {0, 2};
  model.conformity.errors = {1, 3};
  const Intervals intervals = intervals_of(model, column({0, 1}), 0.5);
  EXPECT_THAT(intervals.lower, ElementsAre(95, 100));
  EXPECT_THAT(intervals.upper, ElementsAre(105, 120));
}

TEST(Interval, OfLogarithmsIsInTheTargetsOwnUnits) {
  ModelParts model = numbers_model();
  model.encoding.target.transform = TargetTransform::log;
  model.encoding.target.mean = 2;
  model.encoding.target.deviation = 0.5;
  const Intervals intervals = intervals_of(model, column({1}), 0.4);
  EXPECT_DOUBLE_EQ(intervals.lower[0], std::exp(2.3));
  EXPECT_DOUBLE_EQ(intervals.upper[0], std::exp(2.7));
}

TEST(Interval, ASetHasTheClassesThatAreLikelyEnoughAndTheMostLikelyOne) {
  const ModelParts model = classes_model();
  Matrix<float> scores(2, 3);
  const std::vector<float> first{4, 3, -6};
  const std::vector<float> second{0, 0.1F, 0};
  std::ranges::copy(first, scores.row(0).begin());
  std::ranges::copy(second, scores.row(1).begin());
  const std::vector<double> p = probabilities(scores.row(0), 2);
  const Intervals narrow = intervals_of(model, scores, -std::log(p[1]) - 1e-6);
  EXPECT_THAT(narrow.sets, ElementsAre(1, 0, 0, 0, 1, 0)) << "no class of the second row is likely enough";
  const Intervals wider = intervals_of(model, scores, -std::log(p[1]) + 1e-6);
  EXPECT_THAT(wider.sets, ElementsAre(1, 1, 0, 0, 1, 0));
  EXPECT_THAT(intervals_of(model, scores, 1000).sets, ElementsAre(1, 1, 1, 1, 1, 1));
  EXPECT_TRUE(narrow.lower.empty());
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
