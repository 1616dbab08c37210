#include "coppice/search/search.h"

#include "coppice/api/settings.h"
#include "coppice/search/search_training.h"

#include "tests/api/tables.h"
#include "tests/support.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <set>
#include <stdexcept>
#include <thread>

namespace coppice {
namespace {

using test::message_of;
using test::Mixed;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Few settings, each trained shortly.
SearchSpace small_space() {
  SearchSpace space;
  space.trials = 6;
  space.layers = {{2, 12}, {2, 6}};
  return space;
}

Options short_options() {
  Options options = test::ring_options();
  options.lambdas.clear();  // sizes are told
  options.test = 0.2;
  return options;
}

/// Writes down who calls and what for.
struct Witness : SearchObserver {
  void on_info(const SearchInfo& told) override {
    see("info");
    info = told;
  }
  void on_begin(std::span<const Trial> trials, std::size_t known) override {
    see("begin");
    begun.push_back(trials.size());
    EXPECT_EQ(known, 0U);
  }
  void on_epoch(const EpochReport&) override { see("epoch"); }
  void on_result(const TrialResult& result) override {
    see("result");
    results.push_back(result);
  }
  void on_note(const std::string&) override { see("note"); }
  void see(const std::string& what) {
    calls.push_back(what);
    threads.insert(std::this_thread::get_id());
  }

  std::vector<std::string> calls;
  std::set<std::thread::id> threads;
  SearchInfo info;
  std::vector<std::size_t> begun;
  std::vector<TrialResult> results;
};

TEST(Search, TheMetricDecides) {
  Options options = short_options();
  options.metric = Metric::log_loss;
  const SearchResult result = search(test::ring_table(400), small_space(), options);
  const TrialResult& best = result.results[*result.chosen];
  for (const TrialResult& other : result.results) {
    EXPECT_LE(best.criterion, other.criterion);
    EXPECT_NE(other.criterion, other.validation_error) << "a log-loss is no share of rows";
  }
}

TEST(Search, TheModelIsTheBestNet) {
  const SearchResult result = search(test::ring_table(400), small_space(), short_options());
  EXPECT_EQ(result.results.size(), 6U);
  ASSERT_TRUE(result.chosen && result.model && result.again);
  const TrialResult& best = result.results[*result.chosen];
  for (const TrialResult& other : result.results) EXPECT_LE(best.validation_error, other.validation_error);
  EXPECT_EQ(result.model->hidden_units(), best.trial.hidden);
  EXPECT_EQ(result.model->origin().validation_error, best.validation_error);
  EXPECT_EQ(result.model->origin().test_error, best.test_error);
  EXPECT_EQ(result.again->validation_error, best.validation_error) << "on a processor it comes out the same";
  EXPECT_EQ(result.again->trial, best.trial);
  EXPECT_EQ(result.ranked.front().trial, best.trial);
  EXPECT_EQ(result.model->predict(test::ring_table(10, 2)).rows, 10U);
}

TEST(Search, TablesOfEverythingAreSearchedToo) {
  const Mixed data(200);
  for (const char* target : {"word", "level", "value"}) {
    Options options = test::mixed_options(target);
    options.lambdas.clear();
    SearchSpace space = small_space();
    space.trials = 3;
    const SearchResult result = search(data.table(), space, options);
    ASSERT_TRUE(result.model) << target;
    EXPECT_EQ(result.task, options.task);
    EXPECT_EQ(result.model->target(), target);
    EXPECT_EQ(result.model->predict(data.table()).ids[0], data.key);
  }
}

TEST(Search, IsThePapersEffortUnlessToldOtherwise) {
  Options options = short_options();
  options.effort.reset();
  options.max_epochs = 1;
  const SearchResult paper = search(test::ring_table(100), small_space(), options);
  EXPECT_EQ(paper.options.effort, Effort::paper);
  EXPECT_EQ(paper.options.patience, 100);
  options.effort = Effort::quick;
  EXPECT_EQ(search(test::ring_table(100), small_space(), options).options.patience, 4);
}

TEST(Search, TheNumberOfThreadsDoesNotShow) {
  Options options = short_options();
  std::vector<std::string> bytes;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    options.threads = threads;
    bytes.push_back(search(test::ring_table(300), small_space(), options).model->bytes());
    EXPECT_EQ(bytes.back(), bytes.front()) << threads;
  }
}

TEST(Search, RerunsAreOfTheBestSettings) {
  SearchSpace space = small_space();
  space.reruns = 3;
  space.top = 2;
  Witness witness;
  const SearchResult result = search(test::ring_table(300), space, short_options(), &witness);
  EXPECT_EQ(result.results.size(), 6U + 2 * 2);
  EXPECT_EQ(result.ranked[0].results.size(), 3U);
  EXPECT_EQ(result.ranked[1].results.size(), 3U);
  EXPECT_EQ(result.ranked[2].results.size(), 1U);
  EXPECT_THAT(witness.begun, ElementsAre(6, 4, 1)) << "trials, reruns, the model";
  EXPECT_EQ(witness.results.size(), 6U + 4 + 1);
}

TEST(Search, TheObserverIsCalledByTheCallerAlone) {
  Witness witness;
  std::set<std::thread::id> asked_by;
  std::thread::id caller;
  SearchResult result;
  std::thread host([&] {
    caller = std::this_thread::get_id();
    result = search(test::ring_table(200), small_space(), short_options(), &witness, [&] {
      asked_by.insert(std::this_thread::get_id());
      return false;
    });
  });
  host.join();
  EXPECT_EQ(witness.threads, std::set{caller});
  EXPECT_EQ(asked_by, std::set{caller});
  EXPECT_EQ(witness.calls.front(), "info");
  EXPECT_EQ(witness.info.trials, 6U);
  EXPECT_EQ(witness.info.test_rows, 40U);
  EXPECT_EQ(witness.info.inputs, 2U);
  EXPECT_EQ(witness.info.outputs, 2U);
  EXPECT_TRUE(witness.info.space == small_space());
  EXPECT_EQ(settings_json(settings(), witness.info.options), settings_json(settings(), result.options));
  EXPECT_EQ(witness.info.notes, result.notes);
}

TEST(Search, AStopIsAnErrorOfItsOwnKind) {
  for (const std::size_t results : {0U, 1U, 3U}) {
    Witness witness;
    try {
      search(test::ring_table(400), small_space(), short_options(), &witness,
             [&] { return witness.results.size() >= results; });
      ADD_FAILURE() << results;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    }
  }
}

TEST(Search, WhatAnObserverThrowsComesOut) {
  struct Mistake final : SearchObserver {
    void on_epoch(const EpochReport&) override { throw std::domain_error("the host's mistake"); }
  };
  Mistake mistake;
  EXPECT_THROW(search(test::ring_table(200), small_space(), short_options(), &mistake), std::domain_error);
}

TEST(Search, WidthsFollowTheRowsUnlessTold) {
  SearchSpace space = small_space();
  space.layers.clear();
  const SearchTraining training(test::ring_table(300), space, short_options());
  EXPECT_EQ(training.space().layers, default_layers(200));
  EXPECT_EQ(training.info().space.layers, default_layers(200));
}

TEST(Search, WhereEveryNetDivergesThereIsNoModel) {
  SearchSpace space;
  space.kind = SearchKind::grid;
  space.sizes = {{4}};
  space.optimizers = {OptimizerKind::sgd};
  space.norms = {Norm::none};
  space.steps.values = {1e30, 1e35};
  space.reruns = 4;
  const SearchResult result = search(test::ring_table(100), space, short_options());
  EXPECT_FALSE(result.chosen);
  EXPECT_FALSE(result.model);
  EXPECT_FALSE(result.again);
  EXPECT_EQ(result.results.size(), 2U);
}

TEST(Search, WhatMakesNoSenseIsRefusedBeforeAnythingIsTrained) {
  Witness witness;
  const auto refusal = [&](const SearchSpace& space, const Options& options) {
    try {
      search(test::ring_table(100), space, options, &witness);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option) << error.what();
      return error.place().option + ": " + error.what();
    }
    return std::string("taken");
  };
  SearchSpace grid = small_space();
  grid.kind = SearchKind::grid;
  EXPECT_THAT(refusal(grid, short_options()), HasSubstr("hidden: "));
  Options lambda = short_options();
  lambda.lambdas = {1e-3};
  EXPECT_THAT(refusal(small_space(), lambda), HasSubstr("lambda: "));
  SearchSpace adarad = small_space();
  adarad.optimizers = {OptimizerKind::adarad};
  EXPECT_THAT(refusal(adarad, short_options()), HasSubstr("adarad"));
  Options batch = short_options();
  batch.batch_size = 0;
  EXPECT_THAT(refusal(small_space(), batch), HasSubstr("batch-size: "));
  EXPECT_TRUE(witness.calls.empty());
}

}  // namespace
}  // namespace coppice
