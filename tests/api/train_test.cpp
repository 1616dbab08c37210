#include "coppice/api/train.h"

#include "coppice/api/front.h"
#include "coppice/api/settings.h"

#include "tests/api/consistent.h"
#include "tests/api/results.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(Train, ClassesFromNumbersTextsGapsAndCodes) {
  const Mixed data(400);
  Options options = mixed_options("word");
  options.max_epochs = 60;
  const Result result = train(data.table(), options);
  expect_consistent(result);
  EXPECT_FALSE(result.stopped);
  const Model& model = result.model();
  EXPECT_EQ(model.task(), Task::classification);
  EXPECT_THAT(model.classes(), ElementsAre("high", "low", "middle"));
  EXPECT_THAT(model.ids(), ElementsAre("key"));
  std::vector<std::string> names;
  for (const ModelColumn& column : model.columns()) names.push_back(column.name);
  EXPECT_THAT(names, ElementsAre("age", "count", "city", "grade", "noise"));

  const Prediction predicted = model.predict(data.table());
  ASSERT_EQ(predicted.rows, 400U);
  EXPECT_THAT(predicted.id_names, ElementsAre("key"));
  EXPECT_EQ(predicted.ids[0], data.key);
  EXPECT_EQ(predicted.class_names, model.classes());
  std::size_t right = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    right += predicted.class_of(i) == data.word[i] ? 1 : 0;
    const auto row = predicted.probabilities_of(i);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-5);
    EXPECT_EQ(std::ranges::max_element(row) - row.begin(), predicted.classes[i]);
  }
  EXPECT_GT(right, 320U) << "it has learned something";
}

TEST(Train, NumbersAreGivenBackInTheirOwnUnits) {
  const Mixed data(400);
  Options options = mixed_options("value");
  options.max_epochs = 60;
  const Result result = train(data.table(), options);
  expect_consistent(result);
  EXPECT_EQ(result.task, Task::regression);
  const Prediction predicted = result.model().predict(data.table());
  ASSERT_EQ(predicted.values.size(), 400U);
  EXPECT_THAT(predicted.classes, IsEmpty());
  const double mean = std::accumulate(data.value.begin(), data.value.end(), 0.0) / 400;
  double squares = 0;
  double spread = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    squares += std::pow(predicted.values[i] - data.value[i], 2);
    spread += std::pow(data.value[i] - mean, 2);
  }
  EXPECT_LT(squares, 0.3 * spread);
  EXPECT_LT(result.nets[result.best].validation_error, 0.4) << "squared error over the variance";
}

TEST(Train, WhatTheTableSaysCountsNotHowItIsTyped) {
  const Mixed data(150);
  const Options options = mixed_options("word");
  const std::vector<std::string> bytes = bytes_of(train(data.table(), options));

  Table other;
  other.add_texts("key", data.key);
  std::vector<bool> gaps;
  std::vector<float> ages;
  for (const double age : data.age) {
    gaps.push_back(std::isnan(age));
    ages.push_back(std::isnan(age) ? 7.0F : static_cast<float>(age));
  }
  other.add_numbers("age", ages, gaps);
  other.add_numbers("count", std::vector<double>(data.count.begin(), data.count.end()));
  std::vector<std::int32_t> codes;
  for (const std::string& city : data.city) {
    const auto found = std::ranges::find(Mixed::cities(), city);
    codes.push_back(
        found == Mixed::cities().end() ? -1 : static_cast<std::int32_t>(found - Mixed::cities().begin()));
  }
  other.add_codes("city", codes, Mixed::cities());
  std::vector<std::string> grades;
  for (const std::int32_t grade : data.grade)
    grades.push_back(grade < 0 ? "NA" : Mixed::grades()[static_cast<std::size_t>(grade)]);
  other.add_texts("grade", grades);
  other.add_numbers("noise", data.noise);
  other.add_numbers("level", std::vector<std::int64_t>(data.level.begin(), data.level.end()));
  other.add_texts("word", data.word);
  other.add_numbers("value", data.value);
  EXPECT_EQ(bytes_of(train(other, options)), bytes);
}

TEST(Train, AMatrixIsATableOfItsColumns) {
  const Ring ring(200);
  Matrix<float> values(200, 3);
  for (std::size_t i = 0; i < 200; ++i) {
    values(i, 0) = ring.x0[i];
    values(i, 1) = ring.x1[i];
    values(i, 2) = static_cast<float>(ring.label[i]);
  }
  const auto named =
      bytes_of(train(Table::matrix(std::as_const(values).view(), {"x0", "x1", "label"}), ring_options()));
  EXPECT_EQ(named, bytes_of(train(ring.table(), ring_options())));
  Options options = ring_options();
  options.target = std::string("column3");
  const Result result = train(Table::matrix(std::as_const(values).view()), options);
  expect_consistent(result);
  EXPECT_EQ(result.model().target(), "column3");
}

TEST(Train, APathIsFoundFromTheData) {
  Options options = ring_options();
  options.lambdas.clear();
  options.max_epochs.reset();
  options.ensemble = 1;
  options.hidden_layers = 2;
  options.encode = Encode::plain;
  Witness witness;
  const Result result = train(ring_table(300), options, &witness);
  expect_consistent(result);
  EXPECT_TRUE(witness.begun.lambdas_found);
  EXPECT_EQ(witness.begun.lambdas.size(), 5U);
  EXPECT_EQ(witness.begun.nets, 5U);
  EXPECT_GE(result.nets.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(result.nets[i].lambda, witness.begun.lambdas[i]);
  for (std::size_t i = 5; i < result.nets.size(); ++i) EXPECT_TRUE(result.nets[i].warm_from.has_value());
  for (const NetResult& net : result.nets) EXPECT_EQ(net.phase, "done");
  EXPECT_LT(result.nets[result.best].validation_error, 0.15);
}

TEST(Train, NetsOfFixedSizeKeepTheirs) {
  Options options = ring_options();
  options.lambdas.clear();
  options.fixed_size = {9, 4};
  options.optimizer = OptimizerKind::adam;
  options.norm = Norm::batchnorm_affine;
  const Result result = train(ring_table(200), options);
  expect_consistent(result);
  ASSERT_EQ(result.nets.size(), 1U);
  EXPECT_THAT(result.nets[0].hidden_units, ElementsAre(9, 4));
  EXPECT_EQ(result.nets[0].lambda, 0);
}

TEST(Train, WhatIsToldAtTheBeginningIsWhatHappens) {
  Options options = ring_options();
  options.lambdas = {1e-2, 1e-3};
  options.seeds = 2;
  options.seed = 7;
  options.test = 0.25;
  options.validation = 0.2;
  Witness witness;
  const Result result = train(ring_table(200), options, &witness);
  expect_consistent(result);
  const TrainingInfo& info = witness.begun;
  EXPECT_EQ(info.inputs, 2U);
  EXPECT_EQ(info.test_rows, 50U);
  EXPECT_EQ(info.validation_rows, 30U);
  EXPECT_EQ(info.train_rows, 120U);
  EXPECT_THAT(info.lambdas, ElementsAre(1e-2, 1e-3));
  EXPECT_FALSE(info.lambdas_found);
  EXPECT_EQ(info.nets, 4U);
  EXPECT_EQ(info.threads, 2U);
  EXPECT_EQ(info.threads, result.threads);
  EXPECT_EQ(info.device_text, result.device_text);
  EXPECT_EQ(info.notes, result.notes);
  EXPECT_EQ(info.warnings, result.warnings);
  EXPECT_EQ(info.step_name, "angle");
  EXPECT_EQ(info.step, result.options.angle);
  EXPECT_EQ(settings_json(settings(), info.options), settings_json(settings(), result.options));
  EXPECT_THAT(info.notes, Contains(StartsWith("the table: 200 rows")));
  for (const Model& model : result.models) {
    EXPECT_EQ(model.origin().train_rows, 120U);
    EXPECT_EQ(model.origin().validation_rows, 30U);
    EXPECT_TRUE(model.origin().test_error.has_value());
  }
}

TEST(Train, ItsOptionsRepeatIt) {
  Options options = ring_options();
  options.lambdas.clear();
  options.path = 2;
  const Result result = train(ring_table(150), options);
  const Result again = train(ring_table(150), result.options);
  EXPECT_EQ(bytes_of(again), bytes_of(result));
  EXPECT_EQ(settings_json(settings(), again.options), settings_json(settings(), result.options));
}

TEST(Train, EveryNetOfALambdaHasASeedOfItsOwn) {
  Options options = ring_options();
  options.seed = 5;
  options.seeds = 3;
  const Result result = train(ring_table(150), options);
  ASSERT_EQ(result.nets.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.nets[i].seed, 5 + i);
  options.seeds = 1;
  options.seed = 6;
  EXPECT_EQ(train(ring_table(150), options).models[0].bytes(), result.models[1].bytes());
  EXPECT_NE(result.models[0].bytes(), result.models[1].bytes());
}

TEST(Train, ThePickDecidesWhichNetIsTheModelAndNothingElse) {
  Options options = ring_options();
  options.lambdas = {0.1, 1e-2, 1e-3, 1e-4};
  options.max_epochs = 30;
  std::vector<std::string> bytes;
  for (const Pick rule : {Pick::best, Pick::smallest, Pick::knee}) {
    options.pick = rule;
    const Result result = train(ring_table(300), options);
    expect_consistent(result);
    if (bytes.empty()) bytes = bytes_of(result);
    EXPECT_EQ(bytes_of(result), bytes);
    std::vector<Candidate> nets;
    for (const NetResult& net : result.nets) {
      nets.push_back({.error = net.log_loss.value(),
                      .standard_error = net.log_loss_deviation,
                      .parameters = net.parameters,
                      .bytes = net.bytes});
    }
    EXPECT_EQ(result.chosen, pick(nets, rule, {}));
    EXPECT_EQ(result.pick, rule);
  }
}

TEST(Train, ABudgetIsKeptOrThereIsNoModel) {
  Options options = ring_options();
  options.lambdas = {1e-2, 1e-4};
  options.max_epochs = 30;
  const Table table = ring_table(300);
  const Result free = train(table, options);
  const std::size_t small = std::ranges::min_element(free.nets, {}, &NetResult::parameters)->parameters;
  options.max_parameters = small;
  const Result kept = train(table, options);
  expect_consistent(kept);
  ASSERT_TRUE(kept.chosen);
  EXPECT_LE(kept.model().parameters(), small);
  EXPECT_EQ(kept.max_parameters, small);

  options.max_parameters.reset();
  options.max_bytes = 10;
  const Result none = train(table, options);
  expect_consistent(none);
  EXPECT_FALSE(none.chosen);
  EXPECT_EQ(none.models.size(), none.nets.size()) << "the nets are there all the same";
  try {
    none.model();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("no net fits `max-bytes` 10"), HasSubstr("the smallest, net ")));
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_EQ(error.place().option, "max-bytes");
  }
}

TEST(Train, LimitsEndNetsAndAreNoStop) {
  Options options = ring_options();
  options.max_epochs = 3;
  const Result few = train(ring_table(150), options);
  EXPECT_EQ(few.nets[0].epochs, 3U);
  EXPECT_FALSE(few.stopped);
  options.max_steps = 0;
  const Result none = train(ring_table(150), options);
  expect_consistent(none);
  EXPECT_EQ(none.nets[0].epochs, 0U);
  EXPECT_TRUE(std::isfinite(none.nets[0].validation_error)) << "the initial net";
  options = ring_options();
  options.max_epochs.reset();
  options.effort = Effort::paper;
  options.time_limit = 0.1;
  const Result limited = train(ring_table(2000), options);
  expect_consistent(limited);
  EXPECT_FALSE(limited.stopped);
  EXPECT_NE(limited.nets[0].phase, "done");
}

}  // namespace
}  // namespace coppice
