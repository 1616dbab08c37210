#include "coppice/run/search_run.h"

#include "coppice/core/file.h"

#include "tests/api/tables.h"
#include "tests/support.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <set>
#include <sstream>

namespace coppice {
namespace {

using test::message_of;
using ::testing::HasSubstr;

std::string ring(std::size_t rows) {
  return test::Ring(rows).csv();
}

class SearchFolder : public test::Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    options_.run.data = write("d.csv", ring(500));
    options_.run.options.test = 0.2;
    options_.run.options.device = Device::cpu;
    options_.run.options.effort = Effort::quick;
    options_.space.trials = 8;
    options_.space.layers = {{2, 20}, {2, 9}};
  }
  SearchResult run(const std::string& name) {
    SearchRun search = SearchRun::create(options_, path(name));
    EXPECT_TRUE(search.train(nullptr));
    return search.finish();
  }

  SearchRunOptions options_;
};

/// Ends the search after so many results.
struct After final : SearchObserver {
  explicit After(std::size_t results) : left(results) {}
  void on_result(const TrialResult&) override { left -= left > 0 ? 1 : 0; }
  std::size_t left;
};

TEST_F(SearchFolder, EndsTheSameHoweverOftenItIsInterrupted) {
  options_.space.reruns = 3;
  options_.space.top = 2;
  const SearchResult summary = run("whole");
  EXPECT_EQ(summary.results.size(), 8U + 2 * 2);
  EXPECT_EQ(summary.ranked.size(), 8U);
  EXPECT_EQ(summary.ranked[1].results.size(), 3U);
  EXPECT_EQ(summary.ranked[2].results.size(), 1U);
  EXPECT_LE(summary.ranked[0].validation_error.median, summary.ranked[1].validation_error.median);

  SearchSpace space;
  {
    bool now = false;
    SearchRun search = SearchRun::create(options_, path("parts"), [&] { return now; });
    now = true;
    EXPECT_FALSE(search.train(nullptr));
    space = search.options().space;
  }
  bool ended = false;
  std::size_t sittings = 0;
  for (; !ended && sittings < 30; ++sittings) {
    After few(1);
    SearchRun again = SearchRun::resume(
        path("parts"), [&](SearchRunOptions& o) { o.run.options.threads = 1 + sittings % 2; },
        [&] { return few.left == 0; });
    EXPECT_TRUE(again.options().space == space);
    ended = again.train(&few);
    if (ended) again.finish();
  }
  EXPECT_TRUE(ended);
  EXPECT_GT(sittings, 2U);
  for (const char* name : {"summary.json", "model.coppice"}) {
    EXPECT_TRUE(read_file(path(fmt::format("parts/{}", name))) ==
                read_file(path(fmt::format("whole/{}", name))))
        << name;
  }
}

TEST_F(SearchFolder, EndsTheSameWhereverItsResultsWereCutOff) {
  options_.space.reruns = 2;
  options_.space.top = 2;
  run("s");
  const std::string results = read_file(path("s/results.jsonl"));
  const std::string summary = read_file(path("s/summary.json"));
  const std::string model = read_file(path("s/model.coppice"));
  for (std::size_t cut = 0; cut < results.size(); cut += results.size() / 5) {
    write("s/results.jsonl", results.substr(0, cut));
    std::filesystem::remove(path("s/model.coppice"));
    SearchRun again =
        SearchRun::resume(path("s"), [&](SearchRunOptions& o) { o.run.options.threads = 1 + cut % 2; });
    ASSERT_TRUE(again.train(nullptr));
    again.finish();
    EXPECT_TRUE(read_file(path("s/summary.json")) == summary) << cut;
    EXPECT_TRUE(read_file(path("s/model.coppice")) == model) << cut;
    std::multiset<std::string> before;
    std::multiset<std::string> after;
    for (const auto& [text, lines] :
         {std::pair(results, &before), std::pair(read_file(path("s/results.jsonl")), &after)}) {
      std::istringstream stream(text);
      for (std::string line; std::getline(stream, line);) lines->insert(line);
    }
    EXPECT_EQ(after, before) << cut;
  }
}

TEST_F(SearchFolder, ResultsOfOtherDataOrSettingsAreRefused) {
  run("s");
  const std::string results = read_file(path("s/results.jsonl"));
  const auto refusal = [&](const std::string& name) {
    { const SearchRun other = SearchRun::create(options_, path(name)); }
    write(name + "/results.jsonl", results);
    const std::string message = message_of([&] { SearchRun::resume(path(name), [](SearchRunOptions&) {}); });
    EXPECT_EQ(read_file(path(name + "/results.jsonl")), results);
    return message;
  };
  options_.run.options.patience = 7;
  EXPECT_THAT(refusal("patience"), HasSubstr("other settings"));
  options_.run.options.patience.reset();
  options_.run.data = write("e.csv", ring(300));
  EXPECT_THAT(refusal("data"), HasSubstr("other data"));
  options_.run.data = path("d.csv");
  options_.run.options.threads = 1;  // shapes nothing
  { const SearchRun same = SearchRun::create(options_, path("same")); }
  write("same/results.jsonl", results);
  SearchRun same = SearchRun::resume(path("same"), [](SearchRunOptions&) {});
  After none(100);
  ASSERT_TRUE(same.train(&none));
  EXPECT_EQ(none.left, 99U) << "only the model is trained";
  EXPECT_EQ(same.finish().results.size(), 8U);
}

TEST_F(SearchFolder, OnlyOneCanBeInADirectory) {
  {
    const SearchRun search = SearchRun::create(options_, path("s"));
    EXPECT_THAT(message_of([&] { SearchRun::resume(path("s"), [](SearchRunOptions&) {}); }),
                HasSubstr("another coppice process"));
    EXPECT_THAT(message_of([&] { SearchRun::create(options_, path("s")); }),
                HasSubstr("another coppice process"));
  }
  EXPECT_EQ(SearchRun::resume(path("s"), [](SearchRunOptions&) {}).options().space.trials,
            options_.space.trials);
}

TEST_F(SearchFolder, WhatTheDeviceLacksIsSaidBeforeThereIsADirectory) {
  options_.run.options.precision = Precision::tf32;
  EXPECT_THAT(message_of([&] { SearchRun::create(options_, path("s")); }), HasSubstr("`precision` tf32"));
  EXPECT_FALSE(std::filesystem::exists(path("s")));
}

TEST_F(SearchFolder, TheModelIsTheBestNet) {
  const SearchResult summary = run("s");
  ASSERT_TRUE(summary.chosen);
  const TrialResult& best = summary.results[*summary.chosen];
  for (const TrialResult& other : summary.results) EXPECT_LE(best.validation_error, other.validation_error);
  const Model model = Model::load(path("s/model.coppice"));
  EXPECT_EQ(model.origin().validation_error, best.validation_error);
  EXPECT_EQ(model.origin().test_error, best.test_error);
  EXPECT_EQ(model.hidden_units(), best.trial.hidden);
  const auto json = nlohmann::json::parse(read_file(path("s/summary.json")));
  EXPECT_EQ(json["nets"], 8);
  EXPECT_EQ(json["model"]["hidden"], best.trial.hidden);
  EXPECT_EQ(json["settings"].size(), 8U);
  EXPECT_EQ(json["model"]["file"], "model.coppice");
  EXPECT_EQ(json["settings"][0]["validation_error"]["median"], best.validation_error);
  EXPECT_EQ(json["settings"][0]["test_error"]["median"], best.test_error);
}

/// As on a GPU, where a net that is trained alone may come out a little different.
TEST_F(SearchFolder, WhatIsToldOfTheModelIsWhatItCameToItself) {
  const SearchResult whole = run("s");
  std::string lines = read_file(path("s/results.jsonl"));
  const std::string told = fmt::format("\"train_loss\":{}", nlohmann::json(whole.again->train_loss).dump());
  const std::size_t at = lines.find(told);
  ASSERT_NE(at, std::string::npos);
  lines.replace(at, told.size(), "\"train_loss\":0.125");
  const std::size_t checksum = lines.find(",\"checksum\"", at);
  ASSERT_NE(checksum, std::string::npos);
  write("s/results.jsonl", lines.erase(checksum, lines.find('}', checksum) - checksum));
  SearchRun again = SearchRun::resume(path("s"), [](SearchRunOptions&) {});
  ASSERT_TRUE(again.train(nullptr));
  const SearchResult summary = again.finish();
  EXPECT_EQ(summary.results[*summary.chosen].train_loss, 0.125);
  const auto json = nlohmann::json::parse(read_file(path("s/summary.json")));
  EXPECT_EQ(json["model"]["train_loss"], whole.again->train_loss);
  EXPECT_EQ(Model::load(path("s/model.coppice")).origin().train_loss, whole.again->train_loss);
}

TEST_F(SearchFolder, MoreTrialsGoOnFromFewer) {
  run("s");
  const std::string before = read_file(path("s/results.jsonl"));
  {
    SearchRun more = SearchRun::resume(path("s"), [](SearchRunOptions& o) { o.space.trials = 11; });
    After count(100);
    ASSERT_TRUE(more.train(&count));
    EXPECT_EQ(100 - count.left, 3U + 1) << "three new nets, and the best once more";
    EXPECT_EQ(more.finish().results.size(), 11U);
  }
  EXPECT_TRUE(read_file(path("s/results.jsonl")).starts_with(before));
  EXPECT_EQ(SearchRun::resume(path("s"), [](SearchRunOptions&) {}).options().space.trials, 11U)
      << "remembered";
}

/// The paper's angular step is scaled down where rows are few and no batch size is given; it is none of a search's.
TEST_F(SearchFolder, GoesOnWithThePapersProtocolOnFewRows) {
  options_.run.options.effort = Effort::paper;
  options_.run.options.max_epochs = 4;
  run("s");
  const std::string before = read_file(path("s/summary.json"));
  SearchRun again = SearchRun::resume(path("s"), [](SearchRunOptions&) {});
  ASSERT_TRUE(again.train(nullptr));
  again.finish();
  EXPECT_EQ(read_file(path("s/summary.json")), before);
}

TEST_F(SearchFolder, RefusedResultsLeaveItsConfigurationAlone) {
  run("s");
  const std::string before = read_file(path("s/search.json"));
  write("s/results.jsonl", "a diary\n");
  EXPECT_THAT(
      message_of([&] { SearchRun::resume(path("s"), [](SearchRunOptions& o) { o.space.trials = 11; }); }),
      HasSubstr("results.jsonl: line 1"));
  EXPECT_EQ(read_file(path("s/search.json")), before);
}

TEST_F(SearchFolder, OtherSettingsAndDataAreRefused) {
  run("s");
  const auto resumed = [&](const std::function<void(SearchRunOptions&)>& change) {
    return message_of([&] { SearchRun::resume(path("s"), change); });
  };
  EXPECT_THAT(resumed([](SearchRunOptions& o) { o.space.norms = {Norm::none}; }), HasSubstr("`norms`"));
  EXPECT_THAT(resumed([](SearchRunOptions& o) { o.space.layers.pop_back(); }), HasSubstr("`hidden`"));
  EXPECT_THAT(resumed([](SearchRunOptions& o) { o.run.options.patience = 50; }), HasSubstr("`patience`"));
  EXPECT_THAT(resumed([](SearchRunOptions& o) { o.run.options.seed = 9; }), HasSubstr("`seed`"));
  EXPECT_THAT(message_of([&] { SearchRun::create(options_, path("s")); }),
              HasSubstr("already holds a search"));
  write("d.csv", ring(501));
  EXPECT_THAT(resumed([](SearchRunOptions&) {}), HasSubstr("checksum"));
  EXPECT_THAT(message_of([&] { SearchRun::resume(path(""), [](SearchRunOptions&) {}); }),
              HasSubstr("no search"));
  std::string many = read_file(path("s/search.json"));
  many.replace(many.find("\"trials\": 8"), 11, "\"trials\": -8");
  for (const std::string& text : std::vector<std::string>{
           "{}", "3", many, "{\"kind\": \"best\", \"search\": {}, \"shared\": {\"data\": \"x\"}}"}) {
    write("s/search.json", text);
    EXPECT_THAT(resumed([](SearchRunOptions&) {}), HasSubstr("search.json")) << text;
  }
}

TEST_F(SearchFolder, AnAlteredSpaceIsRefusedUnlessItWasMeant) {
  run("s");
  const std::string whole = read_file(path("s/search.json"));
  const auto trials = [&] {
    return SearchRun::resume(path("s"), [](SearchRunOptions&) {}).options().space.trials;
  };
  std::string altered = whole;
  altered.replace(altered.find("\"trials\": 8"), 11, "\"trials\": 9");
  write("s/search.json", altered);
  EXPECT_THAT(message_of(trials), AllOf(HasSubstr("search.json: is not what search wrote"),
                                        HasSubstr("remove its \"checksum\"")));
  EXPECT_EQ(read_file(path("s/search.json")), altered);
  write("s/search.json", nlohmann::json::parse(whole).dump());
  EXPECT_EQ(trials(), 8U) << "laid out otherwise";
  auto meant = nlohmann::json::parse(altered);
  meant.erase("checksum");
  write("s/search.json", meant.dump());
  EXPECT_EQ(trials(), 9U);
  EXPECT_TRUE(nlohmann::json::parse(read_file(path("s/search.json"))).contains("checksum"));
}

TEST_F(SearchFolder, WhereEveryNetDivergesThereIsNoModel) {
  options_.space.kind = SearchKind::grid;
  options_.space.sizes = {{4}};
  options_.space.optimizers = {OptimizerKind::sgd};
  options_.space.norms = {Norm::none};
  options_.space.steps.values = {1e30, 1e35};
  options_.space.reruns = 4;
  const SearchResult summary = run("s");
  EXPECT_FALSE(summary.chosen);
  EXPECT_EQ(summary.results.size(), 2U);
  EXPECT_FALSE(std::filesystem::exists(path("s/model.coppice")));
  const auto json = nlohmann::json::parse(read_file(path("s/summary.json")));
  EXPECT_EQ(json["failed"], 2);
  EXPECT_TRUE(json["model"].is_null());
  EXPECT_TRUE(json["settings"][0]["validation_error"]["median"].is_null());
  EXPECT_TRUE(json["settings"][0]["test_error"].is_null());
}

TEST_F(SearchFolder, RegressionIsSearchedToo) {
  std::string text = "x,y\n";
  for (int i = 0; i < 300; ++i) text += fmt::format("{},{}\n", i % 37, 3 * (i % 37) - 5);
  options_.run.data = write("numbers.csv", text);
  options_.run.options.target = std::string("y");
  options_.run.options.task = Task::regression;
  const SearchResult summary = run("s");
  EXPECT_EQ(summary.task, Task::regression);
  ASSERT_TRUE(summary.chosen);
  EXPECT_LT(summary.results[*summary.chosen].validation_error, 0.5);
}

}  // namespace
}  // namespace coppice
