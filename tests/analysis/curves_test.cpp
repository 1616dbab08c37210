#include "coppice/analysis/curves.h"

#include "coppice/analysis/evaluation_json.h"
#include "coppice/core/random.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include "tests/model/models.h"

#include <cmath>
#include <gmock/gmock.h>

#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What answering the second class from a threshold on comes to, counted row by row.
struct Counted {
  double right = 0, wrong = 0, missed = 0, other = 0;

  double f1() const { return 2 * right / (2 * right + wrong + missed); }
  double balanced_error() const { return (missed / (right + missed) + wrong / (wrong + other)) / 2; }
};

Counted count(const Matrix<float>& scores, const KnownRows& known, double threshold) {
  Counted counted;
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    const bool answered = probabilities(scores.row(i), 1)[1] >= threshold;
    const double weight = known.weights.empty() ? 1.0 : known.weights[i];
    if (known.labels[i] == 1) {
      (answered ? counted.right : counted.missed) += weight;
    } else {
      (answered ? counted.wrong : counted.other) += weight;
    }
  }
  return counted;
}

RC_GTEST_PROP(Curves, EveryPointIsWhatItsThresholdComesTo, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 40);
  const auto raw = *rc::gen::container<std::vector<int>>(rows, rc::gen::inRange(-5, 6));
  const auto classes =
      *rc::gen::container<std::vector<std::uint32_t>>(rows, rc::gen::inRange<std::uint32_t>(0, 2));
  const auto whole = *rc::gen::container<std::vector<int>>(rows, rc::gen::inRange(1, 4));
  const bool weighted = *rc::gen::arbitrary<bool>();
  Matrix<float> scores(rows, 2);
  KnownRows known{.labels = classes};
  for (std::size_t i = 0; i < rows; ++i) {
    scores(i, 1) = static_cast<float>(raw[i]) / 2;
    if (weighted) known.weights.push_back(static_cast<float>(whole[i]));
  }
  const FullCurve curve = curve_of(scores, known, 1, 1);
  const bool both = std::ranges::count(classes, 1U) > 0 && std::ranges::count(classes, 0U) > 0;
  RC_ASSERT(curve.points.empty() != both);
  if (!both) return;
  double area = 0;
  double before_x = 0;
  double before_y = 0;
  for (const CurvePoint& point : curve.points) {
    const Counted counted = count(scores, known, point.threshold);
    RC_ASSERT(std::abs(point.recall - counted.right / (counted.right + counted.missed)) < 1e-12);
    RC_ASSERT(std::abs(point.false_positive_rate - counted.wrong / (counted.wrong + counted.other)) < 1e-12);
    RC_ASSERT(std::abs(point.precision - counted.right / (counted.right + counted.wrong)) < 1e-12);
    RC_ASSERT(counted.f1() <= curve.best_f1->value + 1e-12);
    RC_ASSERT(counted.balanced_error() >= curve.best_balanced_error->value - 1e-12);
    area += (point.false_positive_rate - before_x) * (before_y + point.recall) / 2;
    before_x = point.false_positive_rate;
    before_y = point.recall;
  }
  RC_ASSERT(before_x == 1 && before_y == 1);
  RC_ASSERT(std::abs(area - curve.auc) < 1e-12);
  RC_ASSERT(std::abs(count(scores, known, curve.best_f1->threshold).f1() - curve.best_f1->value) < 1e-12);
  RC_ASSERT(std::abs(count(scores, known, curve.best_balanced_error->threshold).balanced_error() -
                     curve.best_balanced_error->value) < 1e-12);
}

TEST(Curves, ManyPointsAreThinnedAndTheEndsStay) {
  std::vector<CurvePoint> points(1000);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].threshold = 1 - static_cast<double>(i) / 1000;
  const std::vector<CurvePoint> some = thinned(points);
  EXPECT_EQ(some.size(), 200U);
  EXPECT_EQ(some.front().threshold, points.front().threshold);
  EXPECT_EQ(some.back().threshold, points.back().threshold);
  EXPECT_EQ(thinned(std::vector<CurvePoint>(7)).size(), 7U);
}

/// A model of two classes whose score for the second one is its input.
Model two_classes() {
  ModelParts parts = small_model({1});
  parts.encoding.target.classes = {"no", "yes"};
  parts.encoding.columns = {{.name = "age", .kind = ColumnKind::number, .categories = {}}};
  parts.encoding.offset = {0};
  parts.encoding.factor = {1};
  parts.network = {};
  parts.network.layers.resize(1);
  parts.network.layers[0].weights = Matrix<float>(2, 1);
  parts.network.layers[0].weights(1, 0) = 1;
  parts.network.layers[0].units = {0, 1};
  parts.network.output_capnorm = false;
  parts.statistics.mean = {{0, 0}};
  parts.statistics.divisor = {{1, 1}};
  parts.temperature = 1;
  return Model(parts);
}

Table table_of(const std::vector<float>& ages, const std::vector<std::string>& kinds,
               const std::vector<int>& weights = {}) {
  Table table;
  table.add_numbers("age", ages);
  table.add_texts("id", std::vector<std::string>(ages.size(), "x"));
  table.add_texts("kind", kinds);
  if (!weights.empty()) table.add_numbers("copies", weights);
  return table;
}

TEST(Evaluation, TellsAreasThresholdsAndEachClass) {
  const Table table = table_of({-3, -2, -1, -0.5F, 2}, {"no", "no", "yes", "yes", "yes"});
  const Evaluation evaluation = evaluate(two_classes(), table);
  EXPECT_DOUBLE_EQ(evaluation.metrics.error, 2.0 / 5);
  EXPECT_DOUBLE_EQ(evaluation.metrics.auc, 1);
  EXPECT_DOUBLE_EQ(evaluation.metrics.balanced_error, (0 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(evaluation.metrics.f1, 2.0 / 4);
  EXPECT_DOUBLE_EQ(evaluation.metrics.classes[0].precision, 2.0 / 4);
  EXPECT_DOUBLE_EQ(evaluation.metrics.classes[1].recall, 1.0 / 3);
  ASSERT_TRUE(evaluation.best_f1);
  EXPECT_DOUBLE_EQ(evaluation.best_f1->value, 1);
  EXPECT_DOUBLE_EQ(evaluation.best_f1->threshold, 0.2) << "between the probabilities of -2 and -1";
  EXPECT_DOUBLE_EQ(evaluation.best_balanced_error->value, 0);
  EXPECT_FALSE(evaluation.one_answer);
  const PredictOptions options{.threshold = evaluation.best_f1->threshold};
  EXPECT_EQ(evaluate(two_classes(), table, options).metrics.error, 0)
      << "the threshold says what is answered";
  const Evaluation same = evaluate(two_classes(), table_of({-3, -1, -2}, {"no", "yes", "no"}));
  EXPECT_TRUE(same.one_answer);
  const Evaluation one_class = evaluate(two_classes(), table_of({-3, 1}, {"no", "no"}));
  EXPECT_TRUE(std::isnan(one_class.metrics.auc));
  EXPECT_FALSE(one_class.best_f1);
  EXPECT_TRUE(metrics_json(one_class)["auc"].is_null());
  EXPECT_TRUE(metrics_json(one_class)["per_class"][1]["recall"].is_null());
}

TEST(Evaluation, RowsCountByTheirWeights) {
  const std::vector<float> ages{-3, 1, -1, -0.5F, 2, 7};
  const std::vector<std::string> kinds{"no", "no", "yes", "yes", "yes", "no"};
  const Evaluation own = evaluate(two_classes(), table_of(ages, kinds, {1, 2, 3, 1, 2, 0}), {}, "copies");
  const Evaluation theirs =
      evaluate(two_classes(), table_of({-3, 1, 1, -1, -1, -1, -0.5F, 2, 2},
                                       {"no", "no", "no", "yes", "yes", "yes", "yes", "yes", "yes"}));
  EXPECT_EQ(own.metrics.rows, 5U);
  EXPECT_DOUBLE_EQ(own.metrics.effective_rows, 81.0 / 19);
  EXPECT_NEAR(own.metrics.error, theirs.metrics.error, 1e-12);
  EXPECT_NEAR(own.metrics.log_loss, theirs.metrics.log_loss, 1e-12);
  EXPECT_NEAR(own.metrics.auc, theirs.metrics.auc, 1e-12);
  EXPECT_NEAR(own.metrics.balanced_error, theirs.metrics.balanced_error, 1e-12);
  EXPECT_NEAR(own.metrics.f1, theirs.metrics.f1, 1e-12);
  EXPECT_NEAR(own.best_f1->value, theirs.best_f1->value, 1e-12);
  EXPECT_GT(own.metrics.standard_error, theirs.metrics.standard_error) << "copies are no new evidence";
}

TEST(Evaluation, OfNumbersByWeight) {
  ModelParts model = small_model();
  model.encoding.task = Task::regression;
  model.encoding.target = {.name = "y", .classes = {}, .mean = 5, .deviation = 2};
  Matrix<float> scores(3, 1);
  scores(1, 0) = 1;
  const Metrics own = measure(model, scores, KnownRows{.targets = {1, 1, -1}, .weights = {1, 3, 2}});
  Matrix<float> more(6, 1);
  for (std::size_t i = 1; i < 4; ++i) more(i, 0) = 1;
  const Metrics theirs = measure(model, more, KnownRows{.targets = {1, 1, 1, 1, -1, -1}});
  EXPECT_NEAR(own.error, theirs.error, 1e-12);
  EXPECT_NEAR(own.rmse, theirs.rmse, 1e-12);
  EXPECT_NEAR(own.mae, theirs.mae, 1e-12);
  EXPECT_NEAR(own.r2, theirs.r2, 1e-12);
  EXPECT_DOUBLE_EQ(own.error, 1 - own.r2);
  EXPECT_NEAR(criterion_of(own, Metric::mae, Task::regression).value, theirs.mae, 1e-12);
  EXPECT_EQ(criterion_of(own, Metric::rmse, Task::regression).value, own.error);
}

/// Deviations of criteria over many draws of rows against what one draw estimates.
TEST(Criterion, StandardErrorsAreOfTheRightSize) {
  ModelParts model = small_model();
  model.encoding.target.classes = {"no", "yes"};
  Random random(1, Purpose::generator);
  for (const Metric metric : {Metric::auc, Metric::balanced_error, Metric::f1, Metric::error}) {
    double sum = 0;
    double squares = 0;
    double estimated = 0;
    constexpr double draws = 300;
    for (int draw = 0; draw < static_cast<int>(draws); ++draw) {
      Matrix<float> scores(200, 2);
      KnownRows known;
      for (std::size_t i = 0; i < scores.rows(); ++i) {
        known.labels.push_back(random.uniform() < 0.3 ? 1 : 0);
        scores(i, 1) = static_cast<float>(random.normal() + (known.labels[i] == 1 ? 1 : -0.6));
      }
      const Metrics metrics = measure(model, scores, known, {.auc = true});
      const Criterion criterion = criterion_of(metrics, metric, Task::classification);
      sum += criterion.value / draws;
      squares += criterion.value * criterion.value / draws;
      estimated += criterion.deviation / draws;
    }
    const double deviation = std::sqrt(squares - sum * sum);
    EXPECT_NEAR(estimated / deviation, 1, 0.35) << name_of(metric);
  }
}

}  // namespace
}  // namespace coppice
