#include "coppice/api/refit.h"

#include "coppice/api/plan.h"
#include "coppice/api/prepare.h"
#include "coppice/api/train.h"
#include "coppice/api/training.h"
#include "coppice/model/parts.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <set>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using test::bytes_of;
using test::ring_table;

Options refit_options(std::optional<Refit> refit) {
  Options options = test::ring_options();
  options.lambdas.clear();
  options.path = 2;
  options.max_epochs.reset();
  options.hidden_layers = 2;
  options.encode = Encode::plain;
  options.refit = refit;
  return options;
}

Options single_options(std::optional<Refit> refit) {
  Options options = refit_options(refit);
  options.ensemble = 1;
  return options;
}

const NetResult& chosen_of(const Result& result) {
  return result.nets[result.chosen.value()];
}

/// One for all tests.
const Result& refitted_net() {
  static const Result result = train(ring_table(300), single_options(Refit::on));
  return result;
}

TEST(Refit, TheChosenNetGoesOnWithAllRowsAndKeepsItsErrors) {
  const Result& result = refitted_net();
  const NetResult& net = chosen_of(result);
  ASSERT_TRUE(net.refit);
  EXPECT_EQ(net.epochs, refit_course.rounds * refit_course.epochs);
  const std::size_t from = net.warm_from.value();
  const NetResult& before = result.nets[from];
  EXPECT_FALSE(before.refit);
  EXPECT_TRUE(before.dominated) << "it knows fewer rows";
  EXPECT_EQ(net.hidden_units, before.hidden_units);
  EXPECT_EQ(net.criterion, before.criterion);
  EXPECT_EQ(net.validation_error, before.validation_error);
  EXPECT_EQ(net.standard_error, before.standard_error);
  EXPECT_EQ(net.log_loss, before.log_loss);
  const ModelParts& now = result.model().parts();
  const ModelParts& then = result.models[from].parts();
  EXPECT_NE(now.network, then.network);
  EXPECT_EQ(now.temperature, then.temperature);
  EXPECT_EQ(now.conformity, then.conformity);
  EXPECT_EQ(now.origin.train_rows, 300U);
  EXPECT_EQ(then.origin.train_rows, 270U);
  EXPECT_EQ(now.origin.epochs, before.epochs + net.epochs);
}

TEST(Refit, WithoutItTheOtherNetsAreTheSame) {
  const Result without = train(ring_table(300), single_options(Refit::off));
  const Result& with = refitted_net();
  ASSERT_EQ(without.nets.size() + 1, with.nets.size());
  for (std::size_t i = 0; i < without.nets.size(); ++i)
    EXPECT_EQ(without.models[i].bytes(), with.models[i].bytes()) << i;
  EXPECT_EQ(without.chosen, chosen_of(with).warm_from);
}

TEST(Refit, TheSameBytesForAnyNumberOfThreads) {
  Options options = single_options(Refit::on);
  options.threads = 1;
  EXPECT_EQ(bytes_of(train(ring_table(300), options)), bytes_of(refitted_net()));
}

TEST(Refit, ItsRowsAreAllOfThem) {
  const PreparedData data = prepare(ring_table(300), single_options(Refit::on)).data;
  const NetData some = data.net_data(0);
  const NetData all = data.net_data(0, {.all_rows = true});
  EXPECT_EQ(some.train_rows.size() + some.validation_rows.size(), all.train_rows.size());
  EXPECT_EQ(std::set(all.train_rows.begin(), all.train_rows.end()).size(), 300U);
  EXPECT_EQ(all.validation_rows, some.validation_rows);
  EXPECT_FALSE(std::ranges::equal(some.train_rows, std::span(all.train_rows).first(some.train_rows.size())))
      << "shuffled: the first of them measure CapNorm's numbers";
}

TEST(Refit, EveryNetOfAnEnsembleGoesOnAndIsJudgedAsBefore) {
  Options options = refit_options(Refit::on);
  options.ensemble = 3;
  const Result with = train(ring_table(300), options);
  options.refit = Refit::off;
  const Result without = train(ring_table(300), options);
  const NetResult& net = chosen_of(with);
  ASSERT_EQ(net.members.size(), 3U);
  EXPECT_TRUE(net.refit);
  for (std::size_t fold = 0; fold < 3; ++fold) {
    const NetResult& member = with.nets[net.members[fold]];
    EXPECT_TRUE(member.refit);
    EXPECT_EQ(member.warm_from, chosen_of(without).members[fold]);
    EXPECT_EQ(member.fold, fold);
    EXPECT_EQ(with.models[net.members[fold]].origin().train_rows, 300U);
  }
  EXPECT_EQ(net.judges, chosen_of(without).judges);
  EXPECT_EQ(net.validation_error, chosen_of(without).validation_error);
  EXPECT_EQ(net.log_loss, chosen_of(without).log_loss);
  EXPECT_EQ(with.model().temperature(), without.model().temperature());
  EXPECT_NE(with.model().bytes(), without.model().bytes());
}

TEST(Refit, TestRowsAreAskedAnewAndNotLearnedFrom) {
  Options options = single_options(Refit::on);
  options.test = 0.2;
  const Result result = train(ring_table(300), options);
  const NetResult& net = chosen_of(result);
  ASSERT_TRUE(net.refit);
  EXPECT_EQ(result.model().origin().train_rows, 240U);
  ASSERT_TRUE(net.test_error);
  EXPECT_EQ(result.model().origin().test_error, net.test_error);
}

TEST(Refit, NotWhereRowsToValidateOnAreATableOfTheirOwn) {
  Options options = single_options(Refit::on);
  options.validation = ring_table(60, 9);
  EXPECT_FALSE(chosen_of(train(ring_table(300), options)).refit) << "they are not ours to learn from";
}

TEST(Refit, WhatIsPickedChangesNoNet) {
  Options options = single_options(Refit::on);
  options.pick = Pick::smallest;
  const Result result = train(ring_table(300), options);
  EXPECT_EQ(bytes_of(result), bytes_of(refitted_net()));
  EXPECT_LE(chosen_of(result).parameters, chosen_of(refitted_net()).parameters);
}

TEST(Refit, ByItselfWhereMuchWasLearned) {
  NetResult net;
  net.criterion = 0.3;
  EXPECT_TRUE(may_refit(net, 0.69, 300));
  EXPECT_FALSE(may_refit(net, 0.5, 300)) << "nothing but rows that validate keeps it from learning noise";
  net.criterion.reset();
  EXPECT_FALSE(may_refit(net, 0.69, 300));
  net.criterion = 0.3;
  net.members = {1, 2};
  EXPECT_FALSE(may_refit(net, 0.69, few_rows)) << "together they know all rows";
  EXPECT_TRUE(may_refit(net, 0.69, few_rows + 1));
}

TEST(Refit, WhoNamesLambdasWantsThoseNets) {
  Options options = single_options(std::nullopt);
  EXPECT_EQ(train(ring_table(300), options).options.refit, std::nullopt);
  options.path.reset();
  options.lambdas = {1e-3};
  const Result result = train(ring_table(300), options);
  EXPECT_EQ(result.options.refit, Refit::off);
  EXPECT_EQ(result.nets.size(), 1U);
}

/// Stops in the last net, a few epochs after it began.
struct StopInLast final : TrainingObserver {
  std::size_t last;
  std::atomic<bool> reached = false;  ///< asked by every thread of the pool
  explicit StopInLast(std::size_t nets) : last(nets - 1) {}
  void on_start(const NetRun& /*run*/, const PlannedNet& /*planned*/, Device /*device*/) override {}
  void on_note(const std::string& /*note*/) override {}
  void on_epoch(const NetRun& run, const EpochReport& report) override {
    reached = reached || (run.id == last && report.epoch >= 5);
  }
};

TEST(Refit, ATrainingThatIsStoppedInItKeepsTheNetThatWasValidated) {
  const std::size_t all = refitted_net().nets.size();
  Training training(ring_table(300), single_options(Refit::on));
  training.begin({});
  StopInLast observer(all);
  EXPECT_FALSE(training.train(
      observer, [&] { return observer.reached.load(); }, HUGE_VAL));
  EXPECT_EQ(training.runs().size(), all);
  const Result result = training.finish();
  EXPECT_EQ(result.nets.size(), all - 1) << "its steps were still long";
  EXPECT_FALSE(chosen_of(result).refit);
}

}  // namespace
}  // namespace coppice
