#include "coppice/api/resolve.h"

#include "coppice/api/combinations.h"
#include "coppice/api/plan.h"

#include "tests/api/other_values.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <thread>

#include <rapidcheck.h>

namespace coppice {
namespace {

using namespace coppice::test;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

Options resolved(const Options& options, std::size_t rows) {
  return resolve(options, {.target = "y", .train_rows = rows});
}

TrainingOptions fitted(Effort effort, std::size_t rows) {
  Options options;
  options.effort = effort;
  return training_options(resolved(options, rows));
}

TEST(Resolve, BatchesAreAFiftiethWithinBounds) {
  const std::map<std::size_t, std::size_t> expected{
      {50000, 1000}, {800000, 1000}, {10000, 200}, {125, 32}, {1, 32}};
  for (const auto& [rows, batch] : expected) {
    for (const Effort effort : {Effort::quick, Effort::normal, Effort::paper})
      EXPECT_EQ(fitted(effort, rows).batch_size, batch) << rows;
  }
}

/// The paper's table 3, whose numbers were found for MNIST: 50,000 rows to learn from.
TEST(Resolve, PaperIsThePapersProtocol) {
  const TrainingOptions mnist = fitted(Effort::paper, 50000);
  EXPECT_EQ(mnist.optimizer, OptimizerKind::adarad);
  EXPECT_EQ(mnist.angular_step, 30) << "alpha_phi";
  EXPECT_EQ(mnist.angle, 0) << "alpha_phi decides";
  EXPECT_EQ(mnist.start_units, 10U);
  EXPECT_EQ(mnist.add_units, 1) << "nu";
  EXPECT_EQ(mnist.additions_per_epoch, 1);
  EXPECT_EQ(mnist.unit_lifetime, 50);
  EXPECT_EQ(mnist.radial_step, 0) << "the lifetime decides";
  EXPECT_EQ(mnist.patience, 100);
  EXPECT_EQ(mnist.settle_epochs, INFINITY);
  EXPECT_EQ(mnist.fine_patience, 5);
  EXPECT_EQ(mnist.mixing_rate, 0.005) << "beta";
  EXPECT_EQ(mnist.epsilon, 1e-8);
  EXPECT_EQ(mnist.batch_size, 1000U);
  EXPECT_EQ(mnist.hidden_layers, 2U);
  EXPECT_EQ(mnist.norm, Norm::capnorm);
  EXPECT_EQ(mnist.activation, Activation::relu);
  const TrainingOptions poker = fitted(Effort::paper, 800000);
  EXPECT_EQ(poker.patience, 100) << "whatever the number of steps";
  EXPECT_EQ(poker.unit_lifetime, 50);
  EXPECT_EQ(poker.fine_patience, 5);
  EXPECT_EQ(poker.additions_per_epoch, 1);
}

TEST(Resolve, PaperTurnsFanInsOfSmallDataBySmallerSteps) {
  EXPECT_DOUBLE_EQ(fitted(Effort::paper, 320).angular_step, 30 * 10.0 / 50);  // 10 steps instead of 50
  EXPECT_DOUBLE_EQ(fitted(Effort::paper, 800000).angular_step, 30);
  Options batch;
  batch.effort = Effort::paper;
  batch.batch_size = 64;
  const Options complete = resolved(batch, 320);
  EXPECT_EQ(complete.batch_size, 64U);
  EXPECT_DOUBLE_EQ(complete.angular_step.value(), 30);
}

TEST(Resolve, LessEffortWaitsLess) {
  for (const std::size_t rows : {100U, 5000U, 50000U, 800000U}) {
    const TrainingOptions quick = fitted(Effort::quick, rows);
    const TrainingOptions normal = fitted(Effort::normal, rows);
    const TrainingOptions paper = fitted(Effort::paper, rows);
    EXPECT_LT(quick.patience, normal.patience);
    EXPECT_LE(3 * normal.patience, paper.patience);
    EXPECT_LE(10 * quick.patience, paper.patience);
    EXPECT_LT(quick.unit_lifetime, normal.unit_lifetime);
    EXPECT_LT(quick.fine_patience, normal.fine_patience);
    EXPECT_GT(normal.angle, 0);
    EXPECT_EQ(quick.angle, normal.angle);
  }
}

TEST(Resolve, EpochsOfManyStepsCountForMore) {
  const TrainingOptions mnist = fitted(Effort::normal, 50000);
  const TrainingOptions poker = fitted(Effort::normal, 800000);
  EXPECT_DOUBLE_EQ(poker.patience, mnist.patience / 4);
  EXPECT_DOUBLE_EQ(poker.fine_patience, mnist.fine_patience / 4);
  EXPECT_DOUBLE_EQ(poker.unit_lifetime, mnist.unit_lifetime / 4);
  EXPECT_DOUBLE_EQ(poker.additions_per_epoch, mnist.additions_per_epoch * 4);
  EXPECT_EQ(fitted(Effort::normal, 1000).patience, mnist.patience) << "few steps do not count for less";
}

TEST(Resolve, NetsOfAnEnsembleOfManyRowsAreTrainedForLess) {
  const auto patience = [](Effort effort, std::size_t folds, std::size_t rows = 10'000) {
    Options options;
    options.effort = effort;
    options.batch_size = rows / 50;
    return resolve(options, {.target = "y", .folds = folds, .train_rows = rows}).patience.value();
  };
  EXPECT_LT(patience(Effort::normal, 5), patience(Effort::normal, 0));
  EXPECT_LT(patience(Effort::quick, 5), patience(Effort::normal, 5));
  EXPECT_EQ(patience(Effort::normal, 10, few_rows), patience(Effort::normal, 0)) << "few rows are cheap";
  for (const Effort effort : {Effort::quick, Effort::paper})
    EXPECT_EQ(patience(effort, 5), patience(effort, 0)) << "asked for by name";
}

TEST(Resolve, AnglesFollowBatchesAndSteps) {
  EXPECT_DOUBLE_EQ(default_angle(1000, 50), 0.05);
  EXPECT_DOUBLE_EQ(default_angle(1000, 20), 0.05);
  EXPECT_DOUBLE_EQ(default_angle(250, 50), 0.025);
  EXPECT_DOUBLE_EQ(default_angle(1000, 800), 0.05 / 8);
  EXPECT_DOUBLE_EQ(fitted(Effort::normal, 50000).angle, 0.05);
  Options batch;
  batch.batch_size = 250;
  EXPECT_DOUBLE_EQ(resolved(batch, 10000).angle.value(), 0.025);
}

TEST(Resolve, WhatTheUserGaveStays) {
  const std::map<std::string, double> values{{"start-units", 33},   {"angle", 0.3},
                                             {"unit-lifetime", 7},  {"add-units", 3.5},
                                             {"patience", 11},      {"additions-per-epoch", 2.5},
                                             {"settle-epochs", 13}, {"fine-patience", 4}};
  for (const char* effort : {"quick", "normal", "paper"}) {
    Options options;
    set(options, "effort", {effort});
    for (const auto& [name, value] : values) set(options, name, {fmt::format("{}", value)});
    const Options complete = resolved(options, 800000);
    for (const auto& [name, value] : values)
      EXPECT_EQ(setting(settings(), name).get(complete).get<double>(), value) << effort << " " << name;
  }
  Options step;
  step.angular_step = 7;
  EXPECT_EQ(resolved(step, 320).angular_step, 7);
  EXPECT_EQ(training_options(resolved(step, 320)).angle, 0) << "alpha_phi takes the place of the angle";
}

TEST(Resolve, AngleAndAngularStepExcludeEachOther) {
  Options options;
  options.angle = 0.1;
  options.angular_step = 30;
  EXPECT_THAT(message_of([&] { refuse_combinations(options); }),
              AllOf(HasSubstr("`angle` 0.1"), HasSubstr("`angular-step` 30"), HasSubstr("one of them")));
}

/// A subset of all settings, each with a value of its own.
Options some_options() {
  Options options;
  for (const auto& [name, texts] : other_values()) {
    if (*rc::gen::arbitrary<bool>()) set(options, name, texts);
  }
  return options;
}

TEST(Resolve, KeepsAllThatWasGivenAndDecidesTheSameTwice) {
  EXPECT_TRUE(rc::check("resolve keeps what is set, changes nothing it decided, reads no hidden state", [] {
    const Options options = some_options();
    const DataFacts facts{.target = "y",
                          .task = Task::classification,
                          .scaling = Scaling::global,
                          .train_rows = static_cast<std::size_t>(*rc::gen::inRange(1, 1'000'000))};
    const json given = settings_json(settings(), options);
    const Options complete = resolve(options, facts);
    RC_ASSERT(settings_json(settings(), options) == given);  // untouched
    const json decided = settings_json(settings(), complete);
    for (const auto& [name, value] : given.items()) RC_ASSERT(decided[name] == value);
    RC_ASSERT(settings_json(settings(), resolve(options, facts)) == decided);
    RC_ASSERT(settings_json(settings(), resolve(complete, facts)) == decided);
    const DataFacts other{.target = "z",
                          .task = Task::regression,
                          .scaling = Scaling::none,
                          .train_rows = facts.train_rows / 2 + 1};
    RC_ASSERT(settings_json(settings(), resolve(complete, other)) == decided);  // nothing is left open
  }));
}

TEST(Resolve, WhatIsLeftOpenMeansNoLimitOrIsFoundLater) {
  const json decided = settings_json(settings(), resolved({}, 1000));
  std::vector<std::string> open;
  for (const Setting<Options>& setting : settings()) {
    if (!decided.contains(setting.name)) open.push_back(setting.name);
  }
  EXPECT_THAT(open, ::testing::UnorderedElementsAre(
                        "ignore", "id", "categorical", "weight", "class-weights", "test", "group", "time",
                        "fold", "refit", "warm-start", "fixed-size", "lambda", "layer-lambdas",
                        "max-parameters", "max-bytes", "angular-step", "step", "radial-step", "grow-epochs",
                        "settle-epochs", "max-epochs", "max-steps", "precision", "portable-math",
                        "time-limit", "device", "threads", "rows-over-ranks", "memory"));
}

TEST(Resolve, FactsOfTheDataFillInWhatTheyTell) {
  const Options complete = resolve(
      {}, {.target = "price", .task = Task::regression, .scaling = Scaling::global, .train_rows = 10});
  EXPECT_EQ(complete.target, "price");
  EXPECT_EQ(complete.task, Task::regression);
  EXPECT_EQ(complete.scale, Scaling::global);
  EXPECT_DOUBLE_EQ(std::get<double>(complete.validation), 0.1);
  EXPECT_DOUBLE_EQ(std::get<double>(resolve({}, {.target = "label", .images = true}).validation), 1.0 / 6);
}

TEST(Resolve, ValidationRowsToldOtherwiseLeaveNoShare) {
  Options options;
  EXPECT_DOUBLE_EQ(validation_share(options, false), 0.1);
  EXPECT_DOUBLE_EQ(validation_share(options, true), 1.0 / 6);
  options.effort = Effort::paper;
  EXPECT_DOUBLE_EQ(validation_share(options, false), 1.0 / 6);
  options.validation = 0.25;
  EXPECT_DOUBLE_EQ(validation_share(options, false), 0.25);
  options.validation = std::vector<std::uint32_t>{1};
  EXPECT_EQ(validation_share(options, false), 0);
  EXPECT_TRUE(std::holds_alternative<std::vector<std::uint32_t>>(resolved(options, 9).validation));
  options.validation = ring_table(3);
  EXPECT_EQ(validation_share(options, false), 0);
  EXPECT_EQ(std::get<Table>(resolved(options, 9).validation).rows(), 3U);
}

TEST(Resolve, StandardOptionsAreWhatNeitherEffortNorDataDecide) {
  const Options standard = standard_options();
  EXPECT_EQ(standard.effort, Effort::normal);
  EXPECT_EQ(standard.seed, 0U);
  EXPECT_EQ(standard.path, 5U);
  EXPECT_FALSE(standard.patience || standard.batch_size || standard.angle || standard.start_units);
  Options fixed;
  fixed.fixed_size = {7, 5, 3};
  EXPECT_EQ(resolved(fixed, 100).hidden_layers, 3U);
}

TEST(Resolve, BudgetsAreUnlimitedUnlessSet) {
  EXPECT_FALSE(budget_of({}).limited());
  Options options;
  options.max_bytes = 7;
  EXPECT_EQ(budget_of(options).bytes, 7U);
  EXPECT_EQ(budget_of(options).parameters, Budget{}.parameters);
}

TEST(Resolve, ThreadsAreAtLeastOne) {
  EXPECT_GE(thread_count({}), 1U);
  Options options;
  options.threads = 3;
  EXPECT_EQ(thread_count(options), 3U);
  options.threads = 1000;
  EXPECT_EQ(thread_count(options), std::max(16U, std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace coppice
