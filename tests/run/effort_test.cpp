#include "coppice/run/effort.h"

#include "tests/run/support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <map>

namespace coppice {
namespace {

using namespace coppice::test;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

RunOptions fitted(const std::string& effort, std::size_t rows) {
  RunOptions options;
  setting(options, "effort").set({effort});
  apply_effort(options, rows);
  return options;
}

TEST(Effort, BatchesAreAFiftiethWithinBounds) {
  const std::map<std::size_t, std::size_t> expected{
      {50000, 1000}, {800000, 1000}, {10000, 200}, {125, 32}, {1, 32}};
  for (const auto& [rows, batch] : expected) {
    for (const char* effort : {"quick", "normal", "paper"})
      EXPECT_EQ(fitted(effort, rows).training.batch_size, batch) << rows;
  }
}

TEST(Effort, PaperIsThePapersProtocol) {
  const TrainingOptions& mnist = fitted("paper", 50000).training;
  const TrainingOptions table_3;
  EXPECT_EQ(mnist.start_units, table_3.start_units);
  EXPECT_EQ(mnist.angular_step, table_3.angular_step);
  EXPECT_EQ(mnist.angle, 0);
  EXPECT_EQ(mnist.unit_lifetime, table_3.unit_lifetime);
  EXPECT_EQ(mnist.add_units, table_3.add_units);
  EXPECT_EQ(mnist.additions_per_epoch, table_3.additions_per_epoch);
  EXPECT_EQ(mnist.patience, table_3.patience);
  EXPECT_EQ(mnist.fine_patience, table_3.fine_patience);
  EXPECT_EQ(fitted("paper", 800000).training.patience, 100) << "whatever the number of steps";
}

TEST(Effort, PaperTurnsFanInsOfSmallDataBySmallerSteps) {
  EXPECT_DOUBLE_EQ(fitted("paper", 320).training.angular_step, 30 * 10.0 / 50);  // 10 steps instead of 50
  EXPECT_DOUBLE_EQ(fitted("paper", 800000).training.angular_step, 30);
  RunOptions batch;
  batch.effort = Effort::paper;
  batch.training.batch_size = 64;
  apply_effort(batch, 320);
  EXPECT_EQ(batch.training.batch_size, 64U);
  EXPECT_DOUBLE_EQ(batch.training.angular_step, 30);
}

TEST(Effort, LessEffortWaitsLess) {
  for (const std::size_t rows : {100U, 5000U, 50000U, 800000U}) {
    const TrainingOptions quick = fitted("quick", rows).training;
    const TrainingOptions normal = fitted("normal", rows).training;
    const TrainingOptions paper = fitted("paper", rows).training;
    EXPECT_LT(quick.patience, normal.patience);
    EXPECT_LE(3 * normal.patience, paper.patience);
    EXPECT_LE(10 * quick.patience, paper.patience);
    EXPECT_LT(quick.unit_lifetime, normal.unit_lifetime);
    EXPECT_LT(quick.fine_patience, normal.fine_patience);
    EXPECT_GT(normal.angle, 0);
    EXPECT_EQ(quick.angle, normal.angle);
  }
}

TEST(Effort, EpochsOfManyStepsCountForMore) {
  const TrainingOptions mnist = fitted("normal", 50000).training;
  const TrainingOptions poker = fitted("normal", 800000).training;
  EXPECT_DOUBLE_EQ(poker.patience, mnist.patience / 4);
  EXPECT_DOUBLE_EQ(poker.fine_patience, mnist.fine_patience / 4);
  EXPECT_DOUBLE_EQ(poker.unit_lifetime, mnist.unit_lifetime / 4);
  EXPECT_DOUBLE_EQ(poker.additions_per_epoch, mnist.additions_per_epoch * 4);
  EXPECT_EQ(fitted("normal", 1000).training.patience, mnist.patience) << "few steps do not count for less";
}

TEST(Effort, AnglesFollowBatchesAndSteps) {
  EXPECT_DOUBLE_EQ(default_angle(1000, 50), 0.05);
  EXPECT_DOUBLE_EQ(default_angle(1000, 20), 0.05);
  EXPECT_DOUBLE_EQ(default_angle(250, 50), 0.025);
  EXPECT_DOUBLE_EQ(default_angle(1000, 800), 0.05 / 8);
  EXPECT_DOUBLE_EQ(fitted("normal", 50000).training.angle, 0.05);
  RunOptions batch;
  setting(batch, "batch-size").set({"250"});
  apply_effort(batch, 10000);
  EXPECT_DOUBLE_EQ(batch.training.angle, 0.025);
}

TEST(Effort, WhatTheUserGaveStays) {
  const std::map<std::string, double> values{{"start-units", 33},   {"angle", 0.3},
                                             {"unit-lifetime", 7},  {"add-units", 3.5},
                                             {"patience", 11},      {"additions-per-epoch", 2.5},
                                             {"settle-epochs", 13}, {"fine-patience", 4}};
  for (const char* effort : {"quick", "normal", "paper"}) {
    RunOptions options;
    setting(options, "effort").set({effort});
    for (const auto& [name, value] : values) setting(options, name).set({fmt::format("{}", value)});
    apply_effort(options, 800000);
    for (const auto& [name, value] : values)
      EXPECT_EQ(setting(options, name).get().get<double>(), value) << effort << " " << name;
  }
  RunOptions step;
  setting(step, "angular-step").set({"7"});
  apply_effort(step, 320);
  EXPECT_EQ(step.training.angular_step, 7);
  EXPECT_EQ(step.training.angle, 0) << "alpha_phi takes the place of the angle";
}

TEST(Effort, AngleAndAngularStepExcludeEachOther) {
  RunOptions first;
  setting(first, "angle").set({"0.1"});
  EXPECT_THAT(message_of([&] { setting(first, "angular-step").set({"30"}); }),
              AllOf(HasSubstr("--angular-step 30"), HasSubstr("--angle"), HasSubstr("one of them")));
  RunOptions second;
  setting(second, "angular-step").set({"30"});
  EXPECT_THAT(message_of([&] { setting(second, "angle").set({"0.1"}); }),
              AllOf(HasSubstr("--angle 0.1"), HasSubstr("--angular-step"), HasSubstr("one of them")));
}

/// config.json of a run.
json config_of(RunOptions options, std::size_t rows) {
  apply_effort(options, rows);
  json config = settings_json(options);
  config["given"] = given_json(options);
  return config;
}

TEST(Effort, AConfigurationHoldsWhatWasFilledIn) {
  const json config = config_of(fitted("quick", 50000), 50000);
  EXPECT_EQ(config["effort"], "quick");
  EXPECT_EQ(config["patience"], 4);
  EXPECT_EQ(config["angle"], 0.05);
  EXPECT_EQ(config["angular-step"], nullptr);
  RunOptions again;
  apply_config(again, config, "c.json", {});
  apply_effort(again, 800000);  // other data, the same numbers
  json values = settings_json(again);
  values["given"] = given_json(again);
  EXPECT_EQ(values, config);
  setting(again, "patience").set({"9"});
  EXPECT_EQ(given_json(again), json::array({"patience"}));
}

TEST(Effort, AnotherEffortReplacesWhatTheConfigurationsEffortFilledIn) {
  RunOptions options;
  setting(options, "patience").set({"17"});
  const json config = config_of(options, 50000);
  EXPECT_EQ(config["given"], json::array({"patience"}));
  RunOptions quick;
  apply_config(quick, config, "c.json", {"effort"});
  setting(quick, "effort").set({"quick"});
  apply_effort(quick, 50000);
  EXPECT_EQ(quick.training.patience, 17) << "given by the user";
  EXPECT_EQ(quick.training.unit_lifetime, fitted("quick", 50000).training.unit_lifetime);
  RunOptions by_hand;  // a configuration without the list: everything in it was given
  apply_config(by_hand, {{"effort", "normal"}, {"unit-lifetime", 20}}, "c.json", {"effort"});
  apply_effort(by_hand, 50000);
  EXPECT_EQ(by_hand.training.unit_lifetime, 20);
}

TEST(Effort, AFlagForTheAngleReplacesAConfigurationsAngularStep) {
  RunOptions options;
  apply_config(options, {{"angular-step", 30}}, "c.json", {"angle"});
  setting(options, "angle").set({"0.2"});
  EXPECT_EQ(options.training.angle, 0.2);
}

}  // namespace
}  // namespace coppice
