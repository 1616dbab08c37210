#include "coppice/core/file.h"
#include "coppice/run/follow.h"

#include "cli/terminal/watch_view.h"
#include "tests/support.h"
#include "tests/training/problems.h"

#include <gmock/gmock.h>
#include <set>

#include <fmt/format.h>

namespace coppice::cli {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What a run is trained with, and which phases it must go through for the test to see anything.
struct Case {
  std::string name;
  std::size_t classes = 2;  ///< 0: numbers
  TrainingOptions options;
  double lambda = 0.02;
  bool poisoned = false;  ///< an input is not finite
  std::set<Phase> phases = {Phase::grow, Phase::settle, Phase::polish, Phase::anneal, Phase::done};
};

/// `train --effort quick` (coppice/run/effort.cpp): settle waits for the life of a unit, 8 epochs, not for patience, 4.
TrainingOptions quick() {
  TrainingOptions options;
  options.batch_size = 32;
  options.start_units = 6;
  options.unit_lifetime = 8;
  options.patience = 4;
  options.settle_epochs = 36;
  options.fine_patience = 1;
  return options;
}

void PrintTo(const Case& given, std::ostream* out) {  // NOLINT(readability-identifier-naming): googletest's
  *out << given.name;
}

std::vector<Case> cases() {
  std::vector<Case> all{{.name = "Quick", .options = quick()},
                        {.name = "Numbers", .classes = 0, .options = quick()},
                        {.name = "GrowEpochs", .options = quick()},
                        {.name = "SettleEpochs", .options = quick()},
                        {.name = "HalfEpochs", .options = quick()},
                        {.name = "MaxEpochs", .options = quick(), .phases = {Phase::grow}},
                        {.name = "FixedSize",
                         .options = quick(),
                         .lambda = 0,
                         .phases = {Phase::polish, Phase::anneal, Phase::done}},
                        {.name = "Diverges", .options = quick(), .phases = {Phase::failed}}};
  all[2].options.grow_epochs = 9;
  all[3].options.settle_epochs = 3;
  all[4].options.fine_patience = 0.5;
  all[5].options.max_epochs = 3;
  all[6].options.fixed_size = {4};
  all[6].options.optimizer = OptimizerKind::adam;
  all[7].poisoned = true;
  return all;
}

/// Reads the journal that a training writes beside it, after every epoch, and compares it with the net itself.
class Witness final : public NetObserver {
 public:
  explicit Witness(const std::string& journal)
      : journal_(journal), file_(journal), state_(nlohmann::json::object()) {}

  void start(const NetRun& run) {
    journal_.start({.net = run.id,
                    .lambda = run.lambda,
                    .seed = run.seed,
                    .hidden_units = run.current.network.hidden_units(),
                    .device = Device::cpu});
  }
  void on_epoch(const NetRun& run, const EpochReport& report) override {
    journal_.epoch(report);
    file_.read([] { FAIL() << "the journal began anew"; },
               [this](std::string_view line) {
                 const auto event = journal::event_in(line);
                 ASSERT_TRUE(event.has_value()) << line;
                 state_.add(*event);
               });
    const WatchedNet& net = state_.nets().at(run.id);
    EXPECT_EQ(net.epoch, run.epoch);
    EXPECT_EQ(net.phase, run.protocol.phase());
    EXPECT_EQ(net.ended, !run.running());
    // Before the first error there is none, which the journal cannot tell from another number that is not finite.
    if (std::isfinite(net.lowest) || std::isfinite(run.protocol.lowest_error())) {
      EXPECT_EQ(net.lowest, run.protocol.lowest_error());
    }
    EXPECT_EQ(net.waited, run.protocol.waited());
    EXPECT_EQ(net.patience, run.protocol.patience());
    if (run.running()) {
      EXPECT_EQ(net.error, run.current.validation_error);
      EXPECT_EQ(net.units, run.current.network.hidden_units());
      EXPECT_GT(net.to_go, 0);
      EXPECT_LE(net.waited, net.patience);
    }
    fewest_.push_back(static_cast<double>(run.epoch) + (run.running() ? net.to_go : 0));
    phases_.insert(net.phase);
  }
  bool reads_weights(const NetRun&) const override { return true; }

  const WatchState& state() const { return state_; }
  const std::set<Phase>& phases() const { return phases_; }
  const std::vector<double>& fewest() const { return fewest_; }

 private:
  Journal journal_;
  FollowedFile file_;
  WatchState state_;
  std::set<Phase> phases_;
  std::vector<double> fewest_;  ///< epochs that the net would take in all, as told after each
};

Dataset numbers_dataset(std::size_t rows, std::uint64_t seed) {
  Dataset data = random_dataset(rows, 2, 0, seed);
  for (std::size_t i = 0; i < rows; ++i) data.targets[i] = data.inputs(i, 0) + 0.5F * data.inputs(i, 1);
  return data;
}

class WatchedTraining : public Folder, public ::testing::WithParamInterface<Case> {};

TEST_P(WatchedTraining, ShowsWhatTheNetKnowsOfItself) {
  const Case& given = GetParam();
  const auto make = [&](std::uint64_t seed) {
    return given.classes > 0 ? xor_dataset(200, seed) : numbers_dataset(200, seed);
  };
  Dataset train = make(1);
  if (given.poisoned) train.inputs(17, 0) = std::numeric_limits<float>::infinity();
  const Dataset validation = make(2);
  ThreadPool pool(1);
  const Trainer trainer(pool, given.options);
  const NetData data = net_data(train, validation, given.classes);
  const NetRun first = trainer.start(0, given.lambda, 7, data);
  const std::string file = path("journal.jsonl");
  Witness witness(file);
  witness.start(first);
  CpuPopulation population(pool, trainer, {data}, {first});
  population.train(witness, never);
  for (const Phase phase : given.phases)
    EXPECT_TRUE(witness.phases().contains(phase)) << "never in " << phase_name(phase);
  const auto took = static_cast<double>(witness.state().nets()[0].epoch);
  for (const double fewest : witness.fewest()) EXPECT_LE(fewest, took) << "at least means at least";
  EXPECT_TRUE(witness.state().all_ended());
}

INSTANTIATE_TEST_SUITE_P(EveryProtocol, WatchedTraining, ::testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

nlohmann::json config(std::size_t lambdas = 2, std::size_t seeds = 2) {
  std::vector<double> values;
  for (std::size_t i = 0; i < lambdas; ++i) values.push_back(0.5 + static_cast<double>(i));
  return {{"lambda", values}, {"seeds", seeds}, {"seed", 7}, {"task", "classification"}};
}

TEST(WatchState, KnowsTheNetsBeforeTheyBegin) {
  const WatchState state(config());
  ASSERT_EQ(state.nets().size(), 4U);
  EXPECT_EQ(state.nets()[3].lambda, 1.5);
  EXPECT_EQ(state.nets()[3].seed, 8U);
  EXPECT_EQ(state.running(), 0U);
  EXPECT_FALSE(state.all_ended());
  EXPECT_TRUE(std::isnan(state.seconds_to_go()));
}

TEST(WatchState, ARewindBringsTheKeptStateBack) {
  WatchState state(config());
  const WatchedNet& net = state.nets()[0];
  state.add(journal::Epoch{.net = 0, .epoch = 1, .validation_error = 0.5, .hidden_units = {10, 10}});
  state.add(journal::Epoch{.net = 0, .epoch = 2, .validation_error = 0.3, .hidden_units = {9, 9}});
  state.add(journal::Epoch{.net = 0, .epoch = 3, .validation_error = 0.6, .hidden_units = {8, 12}});
  EXPECT_EQ(net.error, 0.6);
  EXPECT_EQ(net.lowest, 0.3) << "older journals do not tell it";
  EXPECT_THAT(net.sizes, ElementsAre(20, 18, 20));
  state.add(journal::Rewind{.net = 0, .epoch = 3, .to_epoch = 2, .phase = Phase::settle});
  EXPECT_EQ(net.rewinds, 1U);
  EXPECT_EQ(net.phase, Phase::settle);
  EXPECT_EQ(net.error, 0.3);
  EXPECT_THAT(net.units, ElementsAre(9, 9));
  state.add(journal::Rewind{.net = 0, .epoch = 3, .to_epoch = 99, .phase = Phase::polish});
  EXPECT_EQ(net.error, 0.3) << "there is no such epoch";
  state.add(journal::End{.net = 0, .epoch = 3, .phase = Phase::done});
  EXPECT_TRUE(net.ended);
  EXPECT_FALSE(state.all_ended()) << "three others";
}

TEST(WatchState, TheTimeToGoCountsAllNets) {
  WatchState state(config(1, 3));
  state.add(journal::Epoch{.net = 0, .epoch = 10, .seconds = 8, .to_go = 0});
  state.add(journal::End{.net = 0, .epoch = 10});
  state.add(journal::Epoch{.net = 1, .epoch = 6, .seconds = 16, .to_go = 5});
  // 16 epochs in 16 seconds; 5 to come, and the net that waits takes no less than the shortest, 10.
  EXPECT_DOUBLE_EQ(state.seconds_to_go(), 15);
  state.add(journal::Epoch{.net = 2, .epoch = 1, .seconds = 17});
  EXPECT_TRUE(std::isnan(state.seconds_to_go())) << "an older journal tells nothing";
}

TEST(WatchState, ANetSaysWhatItBeginsAs) {
  nlohmann::json path = config();
  path["lambda"] = nullptr;
  WatchState state(path);
  EXPECT_TRUE(state.nets().empty());
  state.add(
      journal::Start{.net = 0, .lambda = 0.002, .seed = 3, .hidden_units = {5, 6}, .device = Device::cuda});
  EXPECT_EQ(state.device(), "cuda");
  ASSERT_EQ(state.nets().size(), 1U);
  EXPECT_EQ(state.nets()[0].lambda, 0.002);
  EXPECT_EQ(state.nets()[0].seed, 3U);
  EXPECT_THAT(state.nets()[0].units, ElementsAre(5, 6));
  EXPECT_FALSE(state.nets()[0].running()) << "before its first epoch";
  state.add(journal::Epoch{.net = 0, .epoch = 1, .phase = Phase::polish, .lambda = 0});
  EXPECT_EQ(state.nets()[0].lambda, 0.002) << "polish trains with 0, which says nothing about the net";
}

TEST(WatchState, NetsBeyondTheConfigurationAppear) {
  WatchState state(config(1, 1));
  state.add(journal::Epoch{.net = 2, .epoch = 1, .lambda = 0.01});
  ASSERT_EQ(state.nets().size(), 3U);
  EXPECT_EQ(state.nets()[2].lambda, 0.01);
  EXPECT_FALSE(state.nets()[2].seed.has_value());
  state.restart();
  EXPECT_EQ(state.nets().size(), 1U);
  EXPECT_EQ(state.nets()[0].epoch, 0U);
}

TEST(WatchState, DamageIsPassedOver) {
  WatchState state(config(1, 1));
  state.add(journal::Epoch{.net = 0, .epoch = 3});
  EXPECT_EQ(state.nets()[0].errors.size(), 3U) << "every epoch has its place";
  state.add(journal::Epoch{.net = 0, .epoch = 4'000'000'000'000});
  EXPECT_LE(state.nets()[0].errors.size(), 3U);
  for (const nlohmann::json& other : {nlohmann::json(), nlohmann::json(7), nlohmann::json{{"lambda", "x"}}})
    EXPECT_TRUE(WatchState(other).nets().empty());
}

}  // namespace
}  // namespace coppice::cli
