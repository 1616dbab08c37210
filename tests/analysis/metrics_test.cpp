#include "coppice/analysis/metrics.h"

#include "coppice/model/parts.h"

#include "tests/model/models.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;

Matrix<float> matrix_of(const std::vector<std::vector<float>>& rows) {
  Matrix<float> matrix(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], matrix.row(i).begin());
  return matrix;
}

TEST(Metrics, ClassesByHand) {
  ModelParts model = small_model();
  model.temperature = 0.5;
  const Matrix<float> scores = matrix_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}});
  const std::vector<std::uint32_t> labels{0, 1, 1, 3};  // right, right, wrong, a class never seen
  const Metrics metrics = measure(model, scores, labels, {});
  EXPECT_EQ(metrics.rows, 4U);
  EXPECT_DOUBLE_EQ(metrics.error, 0.5);
  const double top = std::exp(2.0) / (std::exp(2.0) + 2);
  const double other = 1 / (std::exp(2.0) + 2);
  EXPECT_NEAR(metrics.log_loss, -(2 * std::log(top) + std::log(other)) / 3, 1e-12);
  const std::vector<std::vector<std::size_t>> confusion{{1, 0, 0}, {0, 1, 1}, {0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(metrics.confusion, confusion);
}

TEST(Metrics, RegressionByHand) {
  ModelParts model = small_model();
  model.encoding.task = Task::regression;
  model.encoding.target = {.name = "y", .classes = {}, .mean = 100, .deviation = 10};
  const Matrix<float> scores = matrix_of({{0}, {1}, {2}, {1}});
  const std::vector<float> targets{0, 1, 1, -1};  // standardised; differences 0, 0, 1, 2
  const Metrics metrics = measure(model, scores, {}, targets);
  EXPECT_NEAR(metrics.error, 5.0 / (4 * 0.6875), 1e-9) << "1 - R2";
  EXPECT_NEAR(metrics.rmse, 10 * std::sqrt(5.0 / 4), 1e-9);
  EXPECT_NEAR(metrics.mae, 10 * 3.0 / 4, 1e-9);
  EXPECT_NEAR(metrics.r2, 1 - 5.0 / (4 * 0.6875), 1e-9);  // mean 0.25, variance 0.6875
  const std::vector<float> same{1, 1, 1, 1};
  EXPECT_TRUE(std::isnan(measure(model, scores, {}, same).r2)) << "R2 of a constant target has no meaning";
  EXPECT_NEAR(measure(model, scores, {}, same).error, 2.0 / 4, 1e-12)
      << "in variances of the training target";
}

TEST(Metrics, OfLogarithmsAreInTheTargetsOwnUnits) {
  ModelParts model;
  model.encoding.task = Task::regression;
  model.encoding.target = {.name = "y", .classes = {}, .mean = 1, .deviation = 2};
  model.encoding.target.transform = TargetTransform::log;
  model.encoding.target.spread = 4;
  Matrix<float> scores(2, 1);
  scores(0, 0) = 0;
  scores(1, 0) = 0.5F;
  const std::vector<float> targets{0.5F, 0.5F};
  const Metrics metrics = measure(model, scores, {}, targets);
  const double miss = std::exp(2.0) - std::exp(1.0);
  EXPECT_NEAR(metrics.mae, miss / 2, 1e-9);
  EXPECT_NEAR(metrics.rmse, miss / std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(metrics.error, miss * miss / 2 / 16, 1e-9);
}

TEST(Metrics, CountRowsOfEachClass) {
  Metrics metrics;
  metrics.confusion = {{5, 1, 2}, {0, 0, 0}, {3, 0, 4}, {1, 0, 1}};  // the last: classes never seen
  EXPECT_EQ(metrics.rows_of(0), 8U);
  EXPECT_EQ(metrics.wrong_of(0), 3U);
  EXPECT_EQ(metrics.rows_of(1), 0U);
  EXPECT_EQ(metrics.wrong_of(2), 3U);
  EXPECT_EQ(metrics.rows_of(3), 2U);
  EXPECT_EQ(metrics.wrong_of(3), 2U) << "none of them can be right";
}

TEST(Metrics, AShareOfFewRowsIsUncertain) {
  EXPECT_GT(share_standard_error(0, 10), 0.05);
  EXPECT_NEAR(share_standard_error(0.2, 100000), std::sqrt(0.2 * 0.8 / 1e5), 1e-6);
}

/// Rows for small_model, with answers.
Table labelled_table(const std::vector<std::string>& kinds) {
  std::vector<float> ages;
  std::vector<std::string> colours;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    ages.push_back(static_cast<float>(i) - 2);
    colours.emplace_back(i % 2 == 0 ? "" : "gr\u00fcn");
  }
  Table table;
  table.add_numbers("age", ages);
  table.add_texts("colour \"x\"", colours);
  table.add_texts("id", std::vector<std::string>(kinds.size(), "x"));
  table.add_texts("kind", kinds);
  return table;
}

TEST(Evaluation, AgreesWithPredictions) {
  const Model model(small_model());
  const std::vector<std::string> kinds{"a", "b", "c,d", "a", "b", "c,d", "a", "a", "new", "b", "newer"};
  const Table table = labelled_table(kinds);
  const Evaluation evaluation = evaluate(model, table);
  const Prediction prediction = model.predict(table);
  std::size_t wrong = 0;
  double log_loss = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    wrong += prediction.class_of(i) != kinds[i] ? 1 : 0;
    const auto known = std::ranges::find(prediction.class_names, kinds[i]);
    if (known == prediction.class_names.end()) continue;
    log_loss -= std::log(prediction.probabilities_of(i)[known - prediction.class_names.begin()]) / 9;
  }
  EXPECT_EQ(evaluation.task, Task::classification);
  EXPECT_EQ(evaluation.class_names, model.classes());
  EXPECT_EQ(evaluation.metrics.rows, 11U);
  EXPECT_DOUBLE_EQ(evaluation.metrics.error, static_cast<double>(wrong) / 11);
  EXPECT_NEAR(evaluation.metrics.log_loss, log_loss, 1e-12);
  EXPECT_EQ(evaluation.metrics.rows_of(0), 4U);
  EXPECT_EQ(evaluation.unseen_rows, 2U);
  EXPECT_THAT(evaluation.warnings, ::testing::ElementsAre(::testing::HasSubstr("never saw")));
}

TEST(Evaluation, OfNumbersIsInTheirUnits) {
  ModelParts parts = small_model();
  parts.encoding.task = Task::regression;
  parts.encoding.target = {.name = "kind", .classes = {}, .mean = 1000, .deviation = 20};
  parts.network.layers.back().weights.keep_rows(std::vector<std::size_t>{0});
  parts.network.layers.back().units.resize(1);
  parts.statistics.mean.back().resize(1);
  parts.statistics.divisor.back().resize(1);
  parts.network.offset.clear();
  const Model model(parts);
  const Table table = labelled_table({"1000", "980", "1040", "1010.5"});
  const std::vector<double> values = model.predict(table).values;
  const std::vector<double> actual{1000, 980, 1040, 1010.5};
  double squares = 0;
  double absolute = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    squares += (values[i] - actual[i]) * (values[i] - actual[i]) / 4;
    absolute += std::abs(values[i] - actual[i]) / 4;
  }
  const Evaluation evaluation = evaluate(model, table);
  EXPECT_NEAR(evaluation.metrics.rmse, std::sqrt(squares), 1e-4 * std::sqrt(squares));
  EXPECT_NEAR(evaluation.metrics.mae, absolute, 1e-4 * absolute);
  double variance = 0;
  for (const double value : actual) variance += std::pow(value - 1007.625, 2) / 4;
  EXPECT_NEAR(evaluation.metrics.error, squares / variance, 1e-4 * squares / variance);
  EXPECT_EQ(evaluation.unseen_rows, 0U);
}

TEST(Evaluation, NeedsAnswersInEveryRow) {
  const Model model(small_model());
  EXPECT_THAT(message_of([&] {
                evaluate(model, labelled_table({"a", "", "b"}));
              }),
              ::testing::HasSubstr("missing"));
  Table table;
  table.add_numbers("age", std::vector{1});
  table.add_texts("colour \"x\"", std::vector<std::string>{""});
  EXPECT_THAT(message_of([&] { evaluate(model, table); }), ::testing::HasSubstr("target column \"kind\""));
}

}  // namespace
}  // namespace coppice
