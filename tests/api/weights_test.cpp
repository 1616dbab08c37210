// Weights of rows and classes, from options to results.
#include "coppice/api/class_weights.h"
#include "coppice/api/metric.h"
#include "coppice/api/prepare.h"
#include "coppice/api/settings.h"
#include "coppice/api/train.h"
#include "coppice/model/parts.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A ring whose row i counts i % 3 times, or stands there so often.
Table weighted_ring(std::size_t rows, std::uint64_t seed, bool repeat) {
  const Ring ring(rows, seed);
  std::vector<float> x0;
  std::vector<float> x1;
  std::vector<int> weight;
  std::vector<int> label;
  for (std::size_t i = 0; i < rows; ++i) {
    const int copies = static_cast<int>(i % 3);
    for (int k = 0; k < (repeat ? copies : 1); ++k) {
      x0.push_back(ring.x0[i]);
      x1.push_back(ring.x1[i]);
      label.push_back(ring.label[i]);
      weight.push_back(repeat ? 1 : copies);
    }
  }
  Table table;
  table.add_numbers("x0", x0);
  table.add_numbers("x1", x1);
  table.add_numbers("copies", weight);
  table.add_numbers("label", label);
  return table;
}

/// The same work whatever the number of rows.
Options whole_batches() {
  Options options = ring_options();
  options.weight = "copies";
  options.batch_size = 100000;
  options.start_units = 10;
  options.angle = 0.02;
  options.patience = 5;
  options.unit_lifetime = 8;
  options.additions_per_epoch = 1;
  options.settle_epochs = 10;
  options.fine_patience = 2;
  options.max_epochs = 20;
  return options;
}

TEST(WeightedTrain, WholeWeightsAreRowsThatStandThereSoOften) {
  for (const Metric metric : {Metric::log_loss, Metric::error}) {
    Options options = whole_batches();
    options.metric = metric;
    options.validation = weighted_ring(200, 2, false);
    options.test = weighted_ring(100, 3, false);
    const Result own = train(weighted_ring(600, 1, false), options);
    options.validation = weighted_ring(200, 2, true);
    options.test = weighted_ring(100, 3, true);
    const Result theirs = train(weighted_ring(600, 1, true), options);
    ASSERT_EQ(own.nets.size(), theirs.nets.size());
    const NetResult& a = own.nets[0];
    const NetResult& b = theirs.nets[0];
    EXPECT_EQ(a.hidden_units, b.hidden_units);
    EXPECT_NEAR(a.train_loss, b.train_loss, 1e-3);
    EXPECT_NEAR(a.validation_error, b.validation_error, 1e-2);
    EXPECT_NEAR(*a.log_loss, *b.log_loss, 1e-3);
    EXPECT_NEAR(*a.test_error, *b.test_error, 2e-2);
    EXPECT_NEAR(own.base->log_loss, theirs.base->log_loss, 1e-6);
    const ModelParts& one = own.models[0].parts();
    const ModelParts& many = theirs.models[0].parts();
    EXPECT_NEAR(one.temperature, many.temperature, 0.02);
    for (std::size_t l = 0; l < one.network.layers.size(); ++l) {
      const Matrix<float>& w = one.network.layers[l].weights;
      const Matrix<float>& v = many.network.layers[l].weights;
      ASSERT_EQ(w.rows(), v.rows());
      for (std::size_t j = 0; j < w.rows(); ++j) {
        for (std::size_t i = 0; i < w.cols(); ++i) EXPECT_NEAR(w(j, i), v(j, i), 5e-3) << l;
      }
    }
    EXPECT_EQ(own.models[0].columns().size(), 2U) << "the weight is no input";
    EXPECT_THAT(own.notes, Contains(AllOf(HasSubstr("\"copies\""), HasSubstr("200 rows of weight 0"))));
  }
}

TEST(WeightedTrain, RowsOfNoWeightTakeNoPartWhateverTheyHold) {
  Options options = whole_batches();
  const Table table = weighted_ring(300, 1, false);
  const auto [prepared, complete, variants, lessons] = prepare(table, options);
  EXPECT_EQ(prepared.rows.size(), 200U);
  EXPECT_EQ(prepared.train_count() + prepared.validation_count(), 200U);
  for (const std::uint32_t row : prepared.rows) EXPECT_NE(row % 3, 0U);
  options.validation = weighted_ring(30, 2, false);
  options.test = std::vector<std::uint32_t>{0, 1, 2};
  const PreparedData held = prepare(table, options).data;
  EXPECT_EQ(held.validation_count(), 20U);
  EXPECT_EQ(held.net_data(0).validation_rows.size(), 20U);
  EXPECT_THAT(held.all_test_rows(), ElementsAre(1, 2));
  options.test = std::vector<std::uint32_t>{0, 3};
  EXPECT_THAT(message_of([&] { prepare(table, options); }),
              AllOf(HasSubstr("`test`"), HasSubstr("weight 0")));
}

TEST(WeightedTrain, OtherTablesNeedTheColumnToo) {
  Options options = whole_batches();
  options.validation = ring_table(50);
  EXPECT_THAT(message_of([&] { prepare(weighted_ring(300, 1, false), options); }),
              AllOf(HasSubstr("`weight`"), HasSubstr("\"copies\"")));
}

Dataset labelled(std::vector<std::uint32_t> labels) {
  Dataset data;
  data.inputs = Matrix<float>(labels.size(), 1);
  data.labels = std::move(labels);
  return data;
}

Encoding classes(std::vector<std::string> names) {
  Encoding encoding;
  encoding.target.name = "y";
  encoding.target.classes = std::move(names);
  return encoding;
}

TEST(ClassWeights, BalancedMakesClassesWeighTheSameAndKeepsTheTotal) {
  Dataset data = labelled({0, 0, 0, 1, 0, 2});
  data.weights = {1, 1, 1, 2, 1, 6};
  const std::vector<std::uint32_t> rows{0, 1, 2, 3, 4};  // the last one is held out
  const std::vector<double> factors = class_factors({"balanced"}, classes({"a", "b", "c"}), data, rows);
  ASSERT_EQ(factors.size(), 3U);
  EXPECT_DOUBLE_EQ(factors[0], 2.0 / 4);
  EXPECT_DOUBLE_EQ(factors[1], 1);
  EXPECT_DOUBLE_EQ(factors[2], 1) << "not there";
  weigh_classes(data, factors);
  EXPECT_THAT(data.weights, ElementsAre(0.5F, 0.5F, 0.5F, 2, 0.5F, 6));
  EXPECT_TRUE(class_factors({}, classes({"a", "b"}), data, rows).empty());
}

TEST(ClassWeights, AreGivenByName) {
  const Dataset data = labelled({0, 1});
  const std::vector<std::uint32_t> rows{0, 1};
  EXPECT_THAT(class_factors({"b=2.5"}, classes({"a", "b"}), data, rows), ElementsAre(1, 2.5));
  EXPECT_THAT(class_factors({"1.0=3", "0=2"}, classes({"0", "1"}), data, rows), ElementsAre(2, 3));
  EXPECT_THAT(class_factors({"x=y=4"}, classes({"x", "x=y"}), data, rows), ElementsAre(1, 4));
  EXPECT_THAT(message_of([&] {
                class_factors({"yess=2"}, classes({"no", "yes"}), data, rows);
              }),
              AllOf(HasSubstr("`class-weights`"), HasSubstr("did you mean \"yes\"?")));
  Encoding numbers = classes({});
  numbers.task = Task::regression;
  EXPECT_THAT(message_of([&] { class_factors({"balanced"}, numbers, data, rows); }),
              AllOf(HasSubstr("`class-weights`"), HasSubstr("numbers")));
}

TEST(ClassWeights, NoneUnsetsThem) {
  Options options;
  set_option(options, "class-weights", {"balanced"});
  EXPECT_THAT(options.class_weights, ElementsAre("balanced"));
  set_option(options, "class-weights", {"a=1,b=2"});
  EXPECT_THAT(options.class_weights, ElementsAre("a=1", "b=2"));
  set_option(options, "class-weights", {"none"});
  EXPECT_TRUE(options.class_weights.empty());
}

TEST(ClassWeights, FindARareClass) {
  Table table;
  Random random(1, Purpose::generator);
  std::vector<float> x;
  std::vector<std::string> y;
  for (std::size_t i = 0; i < 1500; ++i) {
    x.push_back(static_cast<float>(random.normal()));
    y.emplace_back(random.uniform() < (x[i] > 1 ? 0.3 : 0.02) ? "yes" : "no");
  }
  table.add_numbers("x", x);
  table.add_texts("y", y);
  Options options = ring_options();
  options.target = std::string("y");
  options.validation = 1.0 / 6;
  const Result plain = train(table, options);
  options.class_weights = {"balanced"};
  const Result balanced = train(table, options);
  EXPECT_TRUE(plain.nets[0].one_answer);
  EXPECT_FALSE(balanced.nets[0].one_answer);
  EXPECT_NEAR(balanced.base->error, 0.5, 0.02) << "classes count the same together";
  EXPECT_LT(balanced.nets[0].validation_error, 0.4);
}

TEST(Metrics, OfTheOtherTaskAreRefused) {
  EXPECT_NO_THROW(refuse_metric(std::nullopt, Task::regression));
  EXPECT_NO_THROW(refuse_metric(Metric::error, Task::regression));
  for (const Metric metric : {Metric::log_loss, Metric::auc, Metric::balanced_error, Metric::f1}) {
    EXPECT_NO_THROW(refuse_metric(metric, Task::classification));
    EXPECT_THAT(message_of([&] { refuse_metric(metric, Task::regression); }),
                AllOf(HasSubstr("`metric` " + name_of(metric)), HasSubstr("rmse or mae")));
  }
  for (const Metric metric : {Metric::rmse, Metric::mae}) {
    EXPECT_NO_THROW(refuse_metric(metric, Task::regression));
    EXPECT_THAT(message_of([&] { refuse_metric(metric, Task::classification); }), HasSubstr("log-loss"));
  }
}

TEST(Metrics, DecideWhichNetIsBest) {
  const Table table = ring_table(500);
  for (const Metric metric : {Metric::auc, Metric::balanced_error, Metric::f1, Metric::error}) {
    Options options = ring_options();
    options.metric = metric;
    options.lambdas = {3e-2, 1e-2, 1e-3};
    const Result result = train(table, options);
    for (const NetResult& net : result.nets) {
      ASSERT_TRUE(net.criterion);
      EXPECT_GE(*net.criterion, *result.nets[result.best].criterion) << name_of(metric);
      EXPECT_GT(net.criterion_deviation, 0);
    }
    EXPECT_EQ(result.metric, metric);
  }
  Mixed numbers(300);
  for (const Metric metric : {Metric::mae, Metric::rmse}) {
    Options options = mixed_options("value");
    options.metric = metric;
    const Result result = train(numbers.table(), options);
    for (const NetResult& net : result.nets) EXPECT_GE(*net.criterion, *result.nets[result.best].criterion);
  }
}

TEST(Metrics, RmseHasTheOrderOfTheSquaredErrorAndGivesTheSameModels) {
  Mixed numbers(300);
  Options options = mixed_options("value");
  const Result usual = train(numbers.table(), options);
  options.metric = Metric::rmse;
  EXPECT_EQ(bytes_of(usual), bytes_of(train(numbers.table(), options)));
}

TEST(Metrics, StandardErrorsAreEstimatedFromTheCriterion) {
  EXPECT_NEAR(estimated_standard_error(0.5, 2, Metric::log_loss, 100), 0.05, 1e-12);
  EXPECT_NEAR(estimated_standard_error(0.5, 0, Metric::error, 100), 0.5 * std::sqrt(0.02), 1e-12);
  EXPECT_NEAR(estimated_standard_error(0.5, 0, Metric::mae, 100), 0.5 * 0.0755, 1e-3);
  EXPECT_NEAR(estimated_standard_error(0.2, 2, Metric::auc, 10000), 0.004, 1e-4);
}

}  // namespace
}  // namespace coppice
