#include "coppice/search/search.h"

#include "coppice/core/file.h"

#include "tests/search/ring.h"
#include "tests/support.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using test::message_of;
using test::ring;
using ::testing::HasSubstr;

bool never() {
  return false;
}

class SearchFolder : public test::Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    options_.run.data = write("d.csv", ring(500));
    options_.run.test = "0.2";
    options_.run.device = Device::cpu;
    options_.run.effort = Effort::quick;
    options_.trials = 8;
    options_.space.layers = {{2, 20}, {2, 9}};
  }
  SearchSummary run(const std::string& name) {
    Search search = Search::create(options_, path(name));
    EXPECT_TRUE(search.train(nullptr, never));
    return search.finish();
  }

  SearchOptions options_;
};

/// Ends the search after so many results.
struct After final : TrialObserver {
  explicit After(std::size_t results) : left(results) {}
  void on_result(const TrialResult&) override { left -= left > 0 ? 1 : 0; }
  std::size_t left;
};

TEST_F(SearchFolder, EndsTheSameHoweverOftenItIsInterrupted) {
  options_.reruns = 3;
  options_.top = 2;
  const SearchSummary summary = run("whole");
  EXPECT_EQ(summary.results.size(), 8U + 2 * 2);
  EXPECT_EQ(summary.ranked.size(), 8U);
  EXPECT_EQ(summary.ranked[1].results.size(), 3U);
  EXPECT_EQ(summary.ranked[2].results.size(), 1U);
  EXPECT_LE(summary.ranked[0].validation_error.median, summary.ranked[1].validation_error.median);

  SearchSpace space;
  {
    After first(0);
    Search search = Search::create(options_, path("parts"));
    EXPECT_FALSE(search.train(&first, [&] { return first.left == 0; }));
    space = search.options().space;
  }
  bool ended = false;
  std::size_t sittings = 0;
  for (; !ended && sittings < 30; ++sittings) {
    Search again = Search::resume(path("parts"), [&](SearchOptions& o) { o.run.threads = 1 + sittings % 2; });
    EXPECT_TRUE(again.options().space == space);
    After few(2);
    ended = again.train(&few, [&] { return few.left == 0; });
    if (ended) again.finish();
  }
  EXPECT_TRUE(ended);
  EXPECT_GT(sittings, 4U);
  for (const char* name : {"summary.json", "model.coppice"}) {
    EXPECT_TRUE(read_file(path(fmt::format("parts/{}", name))) ==
                read_file(path(fmt::format("whole/{}", name))))
        << name;
  }
}

TEST_F(SearchFolder, OnlyOneCanBeInADirectory) {
  {
    const Search search = Search::create(options_, path("s"));
    EXPECT_THAT(message_of([&] { Search::resume(path("s"), [](SearchOptions&) {}); }),
                HasSubstr("another coppice process"));
    EXPECT_THAT(message_of([&] { Search::create(options_, path("s")); }),
                HasSubstr("another coppice process"));
  }
  EXPECT_EQ(Search::resume(path("s"), [](SearchOptions&) {}).options().trials, options_.trials);
}

TEST_F(SearchFolder, TheModelIsTheBestNet) {
  const SearchSummary summary = run("s");
  ASSERT_TRUE(summary.chosen);
  const TrialResult& best = summary.results[*summary.chosen];
  for (const TrialResult& other : summary.results) EXPECT_LE(best.validation_error, other.validation_error);
  const Model model = load_model(path("s/model.coppice"));
  EXPECT_EQ(model.origin.validation_error, best.validation_error);
  EXPECT_EQ(model.origin.test_error, best.test_error);
  EXPECT_EQ(model.network.hidden_units(), best.trial.hidden);
  const auto json = nlohmann::json::parse(read_file(path("s/summary.json")));
  EXPECT_EQ(json["nets"], 8);
  EXPECT_EQ(json["model"]["hidden"], best.trial.hidden);
  EXPECT_EQ(json["settings"].size(), 8U);
  EXPECT_EQ(json["settings"][0]["validation_error"]["median"], best.validation_error);
}

/// As on a GPU, where a net that is trained alone may come out a little different.
TEST_F(SearchFolder, WhatIsToldOfTheModelIsWhatItCameToItself) {
  const SearchSummary whole = run("s");
  std::string lines = read_file(path("s/results.jsonl"));
  const std::string told = fmt::format("\"train_loss\":{}", nlohmann::json(whole.model->train_loss).dump());
  const std::size_t at = lines.find(told);
  ASSERT_NE(at, std::string::npos);
  write("s/results.jsonl", lines.replace(at, told.size(), "\"train_loss\":0.125"));
  Search again = Search::resume(path("s"), [](SearchOptions&) {});
  ASSERT_TRUE(again.train(nullptr, never));
  const SearchSummary summary = again.finish();
  EXPECT_EQ(summary.results[*summary.chosen].train_loss, 0.125);
  const auto json = nlohmann::json::parse(read_file(path("s/summary.json")));
  EXPECT_EQ(json["model"]["train_loss"], whole.model->train_loss);
  EXPECT_EQ(load_model(path("s/model.coppice")).origin.train_loss, whole.model->train_loss);
}

TEST_F(SearchFolder, MoreTrialsGoOnFromFewer) {
  run("s");
  const std::string before = read_file(path("s/results.jsonl"));
  {
    Search more = Search::resume(path("s"), [](SearchOptions& o) { o.trials = 11; });
    After count(100);
    ASSERT_TRUE(more.train(&count, never));
    EXPECT_EQ(100 - count.left, 3U + 1) << "three new nets, and the best once more";
    EXPECT_EQ(more.finish().results.size(), 11U);
  }
  EXPECT_TRUE(read_file(path("s/results.jsonl")).starts_with(before));
  EXPECT_EQ(Search::resume(path("s"), [](SearchOptions&) {}).options().trials, 11U) << "remembered";
}

/// The paper's angular step is scaled down where rows are few and no batch size is given; it is none of a search's.
TEST_F(SearchFolder, GoesOnWithThePapersProtocolOnFewRows) {
  options_.run.effort = Effort::paper;
  options_.run.training.max_epochs = 4;
  run("s");
  const std::string before = read_file(path("s/summary.json"));
  Search again = Search::resume(path("s"), [](SearchOptions&) {});
  ASSERT_TRUE(again.train(nullptr, never));
  again.finish();
  EXPECT_EQ(read_file(path("s/summary.json")), before);
}

TEST_F(SearchFolder, RefusedResultsLeaveItsConfigurationAlone) {
  run("s");
  const std::string before = read_file(path("s/search.json"));
  write("s/results.jsonl", "a diary\n");
  EXPECT_THAT(message_of([&] { Search::resume(path("s"), [](SearchOptions& o) { o.trials = 11; }); }),
              HasSubstr("results.jsonl: line 1"));
  EXPECT_EQ(read_file(path("s/search.json")), before);
}

TEST_F(SearchFolder, OtherSettingsAndDataAreRefused) {
  run("s");
  const auto resumed = [&](const std::function<void(SearchOptions&)>& change) {
    return message_of([&] { Search::resume(path("s"), change); });
  };
  EXPECT_THAT(resumed([](SearchOptions& o) { o.space.norms = {Norm::none}; }), HasSubstr("--norms"));
  EXPECT_THAT(resumed([](SearchOptions& o) { o.space.layers.pop_back(); }), HasSubstr("--hidden"));
  EXPECT_THAT(resumed([](SearchOptions& o) { o.run.training.patience = 50; }), HasSubstr("--patience"));
  EXPECT_THAT(resumed([](SearchOptions& o) { o.run.seed = 9; }), HasSubstr("--seed"));
  EXPECT_THAT(message_of([&] { Search::create(options_, path("s")); }), HasSubstr("already holds a search"));
  write("d.csv", ring(501));
  EXPECT_THAT(resumed([](SearchOptions&) {}), HasSubstr("checksum"));
  EXPECT_THAT(message_of([&] { Search::resume(path(""), [](SearchOptions&) {}); }), HasSubstr("no search"));
  std::string many = read_file(path("s/search.json"));
  many.replace(many.find("\"trials\": 8"), 11, "\"trials\": -8");
  for (const std::string& text : std::vector<std::string>{
           "{}", "3", many, "{\"kind\": \"best\", \"search\": {}, \"shared\": {\"data\": \"x\"}}"}) {
    write("s/search.json", text);
    EXPECT_THAT(resumed([](SearchOptions&) {}), HasSubstr("search.json")) << text;
  }
}

TEST_F(SearchFolder, WhereEveryNetDivergesThereIsNoModel) {
  options_.kind = SearchKind::grid;
  options_.space.sizes = {{4}};
  options_.space.optimizers = {OptimizerKind::sgd};
  options_.space.norms = {Norm::none};
  options_.space.steps.values = {1e30, 1e35};
  options_.reruns = 4;
  const SearchSummary summary = run("s");
  EXPECT_FALSE(summary.chosen);
  EXPECT_EQ(summary.results.size(), 2U);
  EXPECT_FALSE(std::filesystem::exists(path("s/model.coppice")));
  const auto json = nlohmann::json::parse(read_file(path("s/summary.json")));
  EXPECT_EQ(json["failed"], 2);
  EXPECT_TRUE(json["model"].is_null());
  EXPECT_TRUE(json["settings"][0]["validation_error"]["median"].is_null());
}

TEST_F(SearchFolder, RegressionIsSearchedToo) {
  std::string text = "x,y\n";
  for (int i = 0; i < 300; ++i) text += fmt::format("{},{}\n", i % 37, 3 * (i % 37) - 5);
  options_.run.data = write("numbers.csv", text);
  options_.run.encoding.target = "y";
  options_.run.encoding.task = Task::regression;
  const SearchSummary summary = run("s");
  EXPECT_EQ(summary.task, Task::regression);
  ASSERT_TRUE(summary.chosen);
  EXPECT_LT(summary.results[*summary.chosen].validation_error, 0.5);
}

}  // namespace
}  // namespace coppice
