#include "coppice/search/trials.h"

#include "coppice/api/train.h"
#include "coppice/core/text.h"
#include "coppice/search/space.h"

#include "tests/api/tables.h"
#include "tests/support.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <set>

namespace coppice {
namespace {

/// Everything a result says, for comparison to the last bit; NaN equals NaN.
std::string text_of(const TrialResult& result) {
  return fmt::format("{} {} {} {} {} | {} {} {} {} {} {}", size_text(result.trial.hidden),
                     static_cast<int>(result.trial.optimizer), result.trial.step,
                     static_cast<int>(result.trial.norm), result.trial.seed, result.parameters,
                     result.validation_error, result.test_error.value_or(-1), result.train_loss,
                     result.epochs, result.phase);
}

class Trials : public ::testing::Test {
 protected:
  void SetUp() override {
    Options options;
    options.target = std::string("label");
    options.task = Task::classification;
    options.test = 0.2;
    options.device = Device::cpu;
    options.threads = 2;
    options.effort = Effort::quick;
    options.ensemble = 1;
    options.encode = Encode::plain;
    given_ = options;
    Prepared prepared = prepare(table_, options);
    data_ = std::move(prepared.data);
    base_ = std::move(prepared.options);
    // Widths, depths, steps, optimizers and norms; every other one twice.
    space_.sizes = {{3}, {12, 5}, {20, 9}};
    space_.optimizers = {OptimizerKind::momentum, OptimizerKind::adam};
    space_.steps.values = {1, 20};
    space_.normalised_steps.values = {0.001, 0.03};
    space_.norms = {Norm::batchnorm_affine};
    trials_ = grid_trials(space_, 2);
    trials_.push_back(trials_[1]);
    trials_[0].seed = 5;
  }

  std::optional<std::vector<TrialResult>> train(
      TrialResults& results, SearchObserver* observer = nullptr,
      const std::function<bool()>& stop = [] { return false; }) const {
    return train_trials({.data = &data_, .base = &base_, .observer = observer, .stop = stop}, trials_,
                        results);
  }
  std::optional<std::vector<TrialResult>> train() const {
    TrialResults results;
    return train(results);
  }
  /// What was found, in a fixed order: results come as nets end.
  static std::multiset<std::string> all_of(const TrialResults& results) {
    std::multiset<std::string> all;
    for (const TrialResult& result : results.results()) all.insert(text_of(result));
    return all;
  }

  Table table_ = test::ring_table(700);
  Options given_;
  Options base_;
  PreparedData data_;
  SearchSpace space_;
  std::vector<Trial> trials_;
};

/// Counts.
struct Watch final : SearchObserver {
  void on_begin(std::span<const Trial> trials, std::size_t known) override {
    to_train = trials.size();
    already = known;
  }
  void on_epoch(const EpochReport& report) override {
    ++epochs;
    EXPECT_LT(report.net, to_train);
  }
  void on_result(const TrialResult& result) override { results.push_back(result); }
  std::size_t epochs = 0;
  std::size_t to_train = 0;
  std::size_t already = 0;
  std::vector<TrialResult> results;
};

TEST_F(Trials, EqualNetsTrainedAloneWhateverTheThreads) {
  Watch watch;
  TrialResults found;
  const auto results = train(found, &watch);
  ASSERT_TRUE(results);
  ASSERT_EQ(results->size(), trials_.size());
  EXPECT_EQ(watch.results.size(), trials_.size() - 1) << "a trial that comes twice is trained once";
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    const TrialResult& result = (*results)[i];
    EXPECT_EQ(result.trial, trials_[i]);
    EXPECT_EQ(result.phase, "done");
    Options alone = base_;
    alone.threads = 1 + i % 3;
    TrialResults none;
    const auto single =
        train_trials({.data = &data_, .base = &alone}, std::span(trials_).subspan(i, 1), none);
    ASSERT_TRUE(single);
    EXPECT_EQ(text_of(single->front()), text_of(result));
  }
  const auto best = std::ranges::min_element(*results, {}, &TrialResult::validation_error);
  EXPECT_LT(best->validation_error, 0.1);
  EXPECT_LT(*best->test_error, 0.12);
}

/// The same net as a training of its own: the search measures what train would.
TEST_F(Trials, EqualTheNetsOfATraining) {
  trials_ = {trials_[6]};
  const TrialResult result = train()->front();
  Options options = given_;
  options.fixed_size = trials_[0].hidden;
  options.optimizer = trials_[0].optimizer;
  options.norm = trials_[0].norm;
  options.step = trials_[0].step;
  trials_[0].seed = *base_.seed;
  const TrialResult same_seed = train()->front();
  const NetResult net = coppice::train(table_, options).nets.front();
  EXPECT_EQ(net.validation_error, same_seed.validation_error);
  EXPECT_EQ(net.test_error, same_seed.test_error);
  EXPECT_EQ(net.train_loss, same_seed.train_loss);
  EXPECT_EQ(net.epochs, same_seed.epochs);
  EXPECT_EQ(net.parameters, same_seed.parameters);
  EXPECT_NE(result.train_loss, same_seed.train_loss) << "seeds matter";
}

TEST_F(Trials, GoOnAfterAnyInterruptionToTheSameResults) {
  TrialResults at_once;
  ASSERT_TRUE(train(at_once));
  const auto whole = all_of(at_once);
  ASSERT_EQ(whole.size(), trials_.size() - 1);
  TrialResults parts;
  std::size_t sittings = 0;
  std::size_t done = 0;
  for (bool finished = false; !finished; ++sittings) {
    Watch watch;
    const std::size_t pause = 20 + 20 * sittings;
    finished = train(parts, &watch, [&] { return watch.epochs >= pause; }).has_value();
    EXPECT_EQ(watch.already, done);
    EXPECT_EQ(watch.to_train + watch.already, whole.size());
    done += watch.results.size();
    ASSERT_LT(sittings, 50U);
  }
  EXPECT_GT(sittings, 3U);
  EXPECT_EQ(done, whole.size());
  EXPECT_EQ(all_of(parts), whole);
  Watch watch;
  ASSERT_TRUE(train(parts, &watch));
  EXPECT_EQ(watch.epochs, 0U) << "all is there already";
}

TEST_F(Trials, AStepThatDivergesFailsAloneAndTheSearchGoesOn) {
  trials_.resize(3);
  trials_[1].norm = Norm::none;
  trials_[1].step = 1e30;
  TrialResults found;
  const auto results = train(found);
  ASSERT_TRUE(results);
  EXPECT_EQ((*results)[0].phase, "done");
  EXPECT_EQ((*results)[1].phase, "failed");
  EXPECT_TRUE(std::isnan((*results)[1].validation_error));
  EXPECT_FALSE((*results)[1].test_error);
  EXPECT_EQ((*results)[2].phase, "done");
  const auto again = train();
  EXPECT_EQ(text_of((*again)[1]), text_of((*results)[1]));
}

TEST_F(Trials, ANetTrainedAgainIsTheOneOfTheResults) {
  TrialResults found;
  const auto results = train(found);
  ASSERT_TRUE(results);
  for (const std::size_t i : {2U, 7U}) {
    const auto again = train_model({.data = &data_, .base = &base_}, trials_[i]);
    ASSERT_TRUE(again);
    EXPECT_EQ(text_of(again->result), text_of((*results)[i]));
    EXPECT_EQ(again->model->origin().validation_error, (*results)[i].validation_error);
    EXPECT_EQ(again->model->origin().test_error, (*results)[i].test_error);
    EXPECT_EQ(again->model->origin().train_loss, (*results)[i].train_loss);
    EXPECT_EQ(again->model->hidden_units(), trials_[i].hidden);
  }
  EXPECT_FALSE(train_model({.data = &data_, .base = &base_, .stop = [] { return true; }}, trials_[0]));
}

TEST_F(Trials, WhatMakesNoSenseIsRefusedBeforeAnythingIsTrained) {
  trials_.back().optimizer = OptimizerKind::adarad;
  Watch watch;
  TrialResults results;
  EXPECT_THAT(test::message_of([&] { train(results, &watch); }), ::testing::HasSubstr("adarad"));
  EXPECT_EQ(watch.epochs, 0U);
}

TEST_F(Trials, LimitsEndNets) {
  trials_.resize(2);
  base_.max_epochs = 3;
  const auto limited = train();
  for (const TrialResult& result : *limited) {
    EXPECT_EQ(result.epochs, 3U);
    EXPECT_EQ(result.phase, "polish");
  }
  base_.max_steps = 0;
  const auto none = train();
  for (const TrialResult& result : *none) {
    EXPECT_EQ(result.epochs, 0U);
    EXPECT_TRUE(std::isfinite(result.validation_error));
  }
}

}  // namespace
}  // namespace coppice
