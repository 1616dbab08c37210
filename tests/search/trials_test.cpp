#include "coppice/search/trials.h"

#include "coppice/core/file.h"
#include "coppice/run/run.h"
#include "coppice/search/space.h"

#include "tests/search/ring.h"
#include "tests/support.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <set>

namespace coppice {
namespace {

using test::message_of;
using test::ring;
using ::testing::HasSubstr;

class Trials : public test::Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    base_.data = write("d.csv", ring(700));
    base_.test = "0.2";
    base_.device = Device::cpu;
    base_.threads = 2;
    base_.effort = Effort::quick;
    data_ = prepare_data(base_);
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
      const std::string& file, TrialObserver* observer = nullptr,
      const std::function<bool()>& stop = [] { return false; }) const {
    return train_trials(data_, base_, trials_, path(file), observer, stop);
  }
  /// The lines of a file in a fixed order: they are written as nets end.
  std::multiset<std::string> lines(const std::string& file) const {
    std::multiset<std::string> all;
    std::istringstream text(read_file(path(file)));
    for (std::string line; std::getline(text, line);) all.insert(line);
    return all;
  }

  RunOptions base_;
  PreparedData data_;
  SearchSpace space_;
  std::vector<Trial> trials_;
};

/// Counts, and stops after so many epochs or results.
struct Watch final : TrialObserver {
  void on_begin(std::span<const Trial> trials, std::size_t known) override {
    to_train = trials.size();
    already = known;
  }
  void on_epoch(const NetRun& run, const EpochReport& report) override {
    ++epochs;
    EXPECT_EQ(run.id, report.net);
  }
  void on_result(const TrialResult& result) override { results.push_back(result); }
  std::size_t epochs = 0;
  std::size_t to_train = 0;
  std::size_t already = 0;
  std::vector<TrialResult> results;
};

TEST_F(Trials, EqualNetsTrainedAloneWhateverTheThreads) {
  Watch watch;
  const auto results = train("all.jsonl", &watch);
  ASSERT_TRUE(results);
  ASSERT_EQ(results->size(), trials_.size());
  EXPECT_EQ(watch.results.size(), trials_.size() - 1) << "a trial that comes twice is trained once";
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    const TrialResult& result = (*results)[i];
    EXPECT_EQ(result.trial, trials_[i]);
    EXPECT_EQ(result.phase, "done");
    RunOptions alone = base_;
    alone.threads = 1 + i % 3;
    const auto single = train_trials(data_, alone, std::span(trials_).subspan(i, 1),
                                     path(fmt::format("{}.jsonl", i)), nullptr, [] { return false; });
    ASSERT_TRUE(single);
    EXPECT_EQ(trial_json(single->front()).dump(), trial_json(result).dump());
  }
  const auto best = std::ranges::min_element(*results, {}, &TrialResult::validation_error);
  EXPECT_LT(best->validation_error, 0.1);
  EXPECT_LT(*best->test_error, 0.12);
}

/// The same net as a run of its own: the search measures what train would.
TEST_F(Trials, EqualTheNetsOfARun) {
  trials_ = {trials_[6]};
  const TrialResult result = train("one.jsonl")->front();
  RunOptions options = base_;
  options.training.fixed_size = trials_[0].hidden;
  options.training.optimizer = trials_[0].optimizer;
  options.training.norm = trials_[0].norm;
  options.training.step = trials_[0].step;
  trials_[0].seed = base_.seed;
  const TrialResult same_seed = train("two.jsonl")->front();
  coppice::Run run = coppice::Run::create(options, path("run"));
  ASSERT_TRUE(run.train(nullptr, [] { return false; }));
  const NetResult net = run.finish().nets.front();
  EXPECT_EQ(net.validation_error, same_seed.validation_error);
  EXPECT_EQ(net.test_error, same_seed.test_error);
  EXPECT_EQ(net.train_loss, same_seed.train_loss);
  EXPECT_EQ(net.epochs, same_seed.epochs);
  EXPECT_EQ(net.parameters, same_seed.parameters);
  EXPECT_NE(result.train_loss, same_seed.train_loss) << "seeds matter";
}

TEST_F(Trials, GoOnAfterAnyInterruptionToTheSameLines) {
  ASSERT_TRUE(train("whole.jsonl"));
  const auto whole = lines("whole.jsonl");
  ASSERT_EQ(whole.size(), trials_.size() - 1);
  std::size_t sittings = 0;
  std::size_t done = 0;
  for (bool finished = false; !finished; ++sittings) {
    Watch watch;
    const std::size_t pause = 20 + 20 * sittings;
    finished = train("parts.jsonl", &watch, [&] { return watch.epochs >= pause; }).has_value();
    EXPECT_EQ(watch.already, done);
    EXPECT_EQ(watch.to_train + watch.already, whole.size());
    done += watch.results.size();
    ASSERT_LT(sittings, 50U);
    if (finished || sittings != 2) continue;
    std::string text = read_file(path("parts.jsonl"));
    ASSERT_FALSE(text.empty());
    text.resize(text.size() - 7);  // as if the machine had lost power
    write("parts.jsonl", text);
    --done;
  }
  EXPECT_GT(sittings, 3U);
  EXPECT_EQ(done, whole.size());
  EXPECT_EQ(lines("parts.jsonl"), whole);
  Watch watch;
  ASSERT_TRUE(train("parts.jsonl", &watch));
  EXPECT_EQ(watch.epochs, 0U) << "all is there already";
}

TEST_F(Trials, AStepThatDivergesFailsAloneAndTheSearchGoesOn) {
  trials_.resize(3);
  trials_[1].norm = Norm::none;
  trials_[1].step = 1e30;
  const auto results = train("r.jsonl");
  ASSERT_TRUE(results);
  EXPECT_EQ((*results)[0].phase, "done");
  EXPECT_EQ((*results)[1].phase, "failed");
  EXPECT_TRUE(std::isnan((*results)[1].validation_error));
  EXPECT_FALSE((*results)[1].test_error);
  EXPECT_EQ((*results)[2].phase, "done");
  const auto again = train("r.jsonl");
  EXPECT_EQ(trial_json((*again)[1]).dump(), trial_json((*results)[1]).dump());
}

TEST_F(Trials, ANetTrainedAgainIsTheOneOfTheResults) {
  const auto results = train("r.jsonl");
  ASSERT_TRUE(results);
  for (const std::size_t i : {2U, 7U}) {
    const auto again = train_model(data_, base_, trials_[i], nullptr, [] { return false; });
    ASSERT_TRUE(again);
    EXPECT_EQ(trial_json(again->result).dump(), trial_json((*results)[i]).dump());
    EXPECT_EQ(again->model.origin.validation_error, (*results)[i].validation_error);
    EXPECT_EQ(again->model.origin.test_error, (*results)[i].test_error);
    EXPECT_EQ(again->model.origin.train_loss, (*results)[i].train_loss);
    EXPECT_EQ(again->model.network.hidden_units(), trials_[i].hidden);
  }
  EXPECT_FALSE(train_model(data_, base_, trials_[0], nullptr, [] { return true; }));
}

TEST_F(Trials, OtherDataOrSettingsAreRefused) {
  trials_.resize(1);
  ASSERT_TRUE(train("r.jsonl"));
  const std::string before = read_file(path("r.jsonl"));
  base_.training.patience += 1;
  EXPECT_THAT(message_of([&] { train("r.jsonl"); }), HasSubstr("other settings"));
  base_.training.patience -= 1;
  base_.training.step = 77;  // the trials have their own
  base_.threads = 1;
  EXPECT_TRUE(train("r.jsonl"));
  base_.data = write("e.csv", ring(300));
  data_ = prepare_data(base_);
  EXPECT_THAT(message_of([&] { train("r.jsonl"); }), HasSubstr("other data"));
  EXPECT_EQ(read_file(path("r.jsonl")), before);
}

TEST_F(Trials, WhatMakesNoSenseIsRefusedBeforeAnythingIsTrained) {
  trials_.back().optimizer = OptimizerKind::adarad;
  Watch watch;
  EXPECT_THAT(message_of([&] { train("r.jsonl", &watch); }), HasSubstr("adarad"));
  EXPECT_EQ(watch.epochs, 0U);
}

TEST_F(Trials, LimitsEndNets) {
  trials_.resize(2);
  base_.training.max_epochs = 3;
  const auto limited = train("a.jsonl");
  for (const TrialResult& result : *limited) {
    EXPECT_EQ(result.epochs, 3U);
    EXPECT_EQ(result.phase, "polish");
  }
  base_.training.max_steps = 0;
  const auto none = train("b.jsonl");
  for (const TrialResult& result : *none) {
    EXPECT_EQ(result.epochs, 0U);
    EXPECT_TRUE(std::isfinite(result.validation_error));
  }
}

}  // namespace
}  // namespace coppice
