#include "coppice/run/run.h"

#include "coppice/api/train.h"
#include "coppice/core/file.h"
#include "coppice/run/search_run.h"
#include "coppice/run/summary.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <set>
#include <stdexcept>

namespace coppice {
namespace {

using namespace coppice::test;
using nlohmann::json;
using ::testing::HasSubstr;

class RunFolder : public Folder {
 protected:
  RunOptions options_for(const std::string& csv, const Options& options) const {
    RunOptions run;
    run.data = write("data.csv", csv);
    run.options = options;
    return run;
  }

  /// All of it in one sitting.
  Result run(const RunOptions& options, const std::string& name) const {
    coppice::Run whole = coppice::Run::create(options, path(name));
    EXPECT_TRUE(whole.train(nullptr));
    return whole.finish();
  }

  /// The models that lie in a directory.
  std::vector<std::string> files_of(const std::string& name) const {
    std::vector<std::string> all;
    for (std::size_t i = 0; std::filesystem::exists(path(fmt::format("{}/net-{}.coppice", name, i))); ++i)
      all.push_back(read_file(path(fmt::format("{}/net-{}.coppice", name, i))));
    return all;
  }

  json config_of(const std::string& name) const {
    return json::parse(read_file(path(name + "/config.json")));
  }
};

// ---- A file says the same as a table.

TEST_F(RunFolder, AFileAndATableOfTheSameDataGiveTheSameModels) {
  const Mixed data(250);
  for (const char* target : {"word", "level", "value"}) {
    for (const bool tested : {false, true}) {
      Options options = mixed_options(target);
      if (tested) options.test = 0.2;
      options.categorical = {"count"};
      const std::string name = fmt::format("{}{}", target, tested);
      const Result in_directory = run(options_for(data.csv(), options), name);
      const Result in_memory = train(data.table(), options);
      EXPECT_EQ(bytes_of(in_directory), bytes_of(in_memory)) << name;
      EXPECT_EQ(files_of(name), bytes_of(in_memory)) << name;
      EXPECT_EQ(in_directory.chosen, in_memory.chosen);
      EXPECT_EQ(read_file(path(name + "/model.coppice")), in_memory.model().bytes());
      EXPECT_EQ(settings_json(settings(), in_directory.options),
                settings_json(settings(), in_memory.options));
    }
  }
}

TEST_F(RunFolder, SoDoPathsBudgetsAndSeeds) {
  const Ring data(300);
  Options options = ring_options();
  options.lambdas.clear();
  options.max_epochs.reset();
  options.path = 3;
  options.seeds = 2;
  options.seed = 11;
  options.max_parameters = 60;
  const Result in_directory = run(options_for(data.csv(), options), "run");
  const Result in_memory = train(data.table(), options);
  EXPECT_GE(in_memory.nets.size(), 6U);
  EXPECT_EQ(bytes_of(in_directory), bytes_of(in_memory));
  EXPECT_EQ(in_directory.chosen, in_memory.chosen);
}

TEST_F(RunFolder, SoDoRowsAndModelsOfTheirOwn) {
  const Mixed data(200);
  const Mixed validation(60, 8);
  const Mixed test(50, 9);
  RunOptions from_files = options_for(data.csv(), mixed_options("word"));
  from_files.validation = write("v.csv", validation.csv());
  from_files.test = write("t.csv", test.csv());
  const Result in_directory = run(from_files, "run");
  Options from_tables = mixed_options("word");
  from_tables.validation = validation.table();
  from_tables.test = test.table();
  const Result in_memory = train(data.table(), from_tables);
  EXPECT_EQ(bytes_of(in_directory), bytes_of(in_memory));

  RunOptions warm_file;
  warm_file.data = path("data.csv");
  warm_file.warm_start = path("run");  // its model
  warm_file.options.lambdas = {1e-3};
  warm_file.options.max_epochs = 4;
  warm_file.options.device = Device::cpu;
  Options warm = warm_file.options;
  warm.warm_start = in_memory.model();
  EXPECT_EQ(bytes_of(run(warm_file, "warm")), bytes_of(train(data.table(), warm)));
}

TEST_F(RunFolder, AnotherModelToStartFromIsNoticed) {
  const std::string csv = Ring(100).csv();
  Options other = ring_options();
  other.seed = 7;
  run(options_for(csv, ring_options()), "first");
  run(options_for(csv, other), "second");
  RunOptions options = options_for(csv, ring_options());
  options.warm_start = write("start.coppice", read_file(path("first/model.coppice")));
  run(options, "warm");
  const auto go_on = [&] { coppice::Run::resume(path("warm"), [](RunOptions&) {}); };
  EXPECT_NO_THROW(go_on());
  write("start.coppice", read_file(path("second/model.coppice")));
  EXPECT_THAT(message_of(go_on), HasSubstr("the warm-start file is not the one"));
}

TEST_F(RunFolder, SoDoSearches) {
  const Mixed data(200);
  for (const char* target : {"word", "level", "value"}) {
    SearchRunOptions options;
    options.space.trials = 4;
    options.space.reruns = 2;
    options.space.top = 1;
    options.space.layers = {{2, 10}};
    options.run = options_for(data.csv(), mixed_options(target));
    options.run.options.lambdas.clear();
    SearchRun in_directory = SearchRun::create(options, path(target));
    ASSERT_TRUE(in_directory.train(nullptr));
    const SearchResult there = in_directory.finish();
    const SearchResult here = search(data.table(), options.space, options.run.options);
    ASSERT_TRUE(there.model && here.model);
    EXPECT_EQ(there.model->bytes(), here.model->bytes()) << target;
    EXPECT_EQ(read_file(path(fmt::format("{}/model.coppice", target))), here.model->bytes());
    EXPECT_EQ(there.chosen, here.chosen);
    ASSERT_EQ(there.results.size(), here.results.size());
    for (std::size_t i = 0; i < here.results.size(); ++i) {
      EXPECT_EQ(there.results[i].trial, here.results[i].trial);
      EXPECT_EQ(there.results[i].validation_error, here.results[i].validation_error);
    }
  }
}

// ---- What lies in the directory.

TEST_F(RunFolder, TheSummaryIsTheResult) {
  Options options = ring_options();
  options.lambdas = {1e-2, 1e-3};
  options.test = 0.2;
  const Result result = run(options_for(Ring(200).csv(), options), "run");
  const std::string text = read_file(path("run/summary.json"));
  EXPECT_EQ(text, summary_json(result).dump(2) + "\n");
  const Summary again = parse_summary(json::parse(text), "summary.json");
  EXPECT_EQ(again.nets.size(), 2U);
  EXPECT_EQ(again.chosen, result.chosen);
  for (const char* name : {"config.json", "journal.jsonl", "analysis.json", "checkpoints/net-0.state"})
    EXPECT_TRUE(std::filesystem::exists(path(fmt::format("run/{}", name)))) << name;
}

TEST_F(RunFolder, ABudgetThatNothingFitsLeavesNoModel) {
  RunOptions options = options_for(Ring(200).csv(), ring_options());
  options.options.max_parameters = 1;
  EXPECT_FALSE(run(options, "run").chosen);
  EXPECT_FALSE(std::filesystem::exists(path("run/model.coppice")));
  EXPECT_EQ(files_of("run").size(), 1U);
  EXPECT_TRUE(std::filesystem::exists(path("run/analysis.json"))) << "the best net tells about the data";
}

TEST_F(RunFolder, TheConfigurationHoldsWhatWasGivenAndWhatWasDecided) {
  RunOptions options = options_for(Mixed(120).csv(), mixed_options("word"));
  options.options.patience = 5;
  options.checkpoint_every = 3;
  const Result result = run(options, "run");
  const json config = config_of("run");
  json given = settings_json(run_settings(), options);
  given["data"] = path("data.csv");
  for (const auto& [name, value] : given.items()) EXPECT_EQ(config[name], value) << name;
  EXPECT_EQ(config.size(), given.size() + 4) << "and resolved, checksums, kernels, version: " << config;
  EXPECT_EQ(config["resolved"], settings_json(settings(), result.options));
  EXPECT_EQ(config["resolved"]["patience"], 5);
  EXPECT_EQ(config["resolved"]["fine-patience"], 1);
  EXPECT_FALSE(config.contains("fine-patience"));
  EXPECT_EQ(config["checksums"]["data"], fmt::format("{:08x}", checksum(read_file(path("data.csv")))));
}

TEST_F(RunFolder, ItsOwnConfigurationRepeatsIt) {
  for (const char* target : {"word", "value"}) {
    RunOptions options = options_for(Mixed(150).csv(), mixed_options(target));
    options.options.test = 0.25;
    options.options.lambdas.clear();
    options.options.path = 2;
    const std::string first = fmt::format("{}-1", target);
    run(options, first);
    RunOptions again;
    const json config = config_of(first);
    apply_config(again, config, "config.json", {});
    again.data = config["data"];
    const std::string second = fmt::format("{}-2", target);
    run(again, second);
    EXPECT_EQ(files_of(second), files_of(first));
    EXPECT_EQ(config_of(second), config);
  }
}

// ---- Interrupted and resumed.

/// Stops after so many epochs, for good.
struct Pause final : Observer {
  explicit Pause(std::size_t after) : left(after) {}
  void on_epoch(const EpochReport&) override { left -= left > 0 ? 1 : 0; }
  std::function<bool()> stop() {
    return [this] { return left == 0; };
  }
  std::size_t left;
};

TEST_F(RunFolder, EndsTheSameHoweverOftenItIsInterrupted) {
  Options options = mixed_options("word");
  options.max_epochs = 40;
  options.lambdas = {1e-2, 1e-3, 1e-4};
  RunOptions all = options_for(Mixed(300).csv(), options);
  all.checkpoint_every = 7;
  const std::vector<std::string> whole = bytes_of(run(all, "whole"));
  {
    Pause at_once(1);
    coppice::Run first = coppice::Run::create(all, path("parts"), at_once.stop());
    EXPECT_FALSE(first.train(&at_once));
  }
  EXPECT_TRUE(files_of("parts").empty());
  for (std::size_t net = 0; net < 3; ++net)
    EXPECT_TRUE(std::filesystem::exists(path(fmt::format("parts/checkpoints/net-{}.state", net)))) << net;
  std::size_t sittings = 1;
  for (bool ended = false; !ended; ++sittings) {
    ASSERT_LT(sittings, 200U);
    Pause pause(3);
    coppice::Run again = coppice::Run::resume(
        path("parts"), [&](RunOptions& o) { o.options.threads = 1 + sittings % 3; }, pause.stop());
    ended = again.train(&pause);
    pause.left = 1;  // let it finish
    if (ended) {
      EXPECT_EQ(bytes_of(again.finish()), whole);
    }
  }
  EXPECT_GT(sittings, 2U);
  EXPECT_EQ(files_of("parts"), whole);
}

/// A run that is interrupted again and again comes to the same files.
class InParts : public RunFolder {
 protected:
  void expect_same_in_parts(const RunOptions& all, const Result& whole, std::size_t epochs) {
    {
      Pause at_once(1);
      coppice::Run first = coppice::Run::create(all, path("parts"), at_once.stop());
      EXPECT_FALSE(first.train(&at_once));
    }
    std::size_t sittings = 1;
    for (bool ended = false; !ended; ++sittings) {
      ASSERT_LT(sittings, 200U);
      Pause pause(epochs);
      coppice::Run again = coppice::Run::resume(
          path("parts"), [&](RunOptions& o) { o.options.threads = 1 + sittings % 2; }, pause.stop());
      ended = again.train(&pause);
      pause.left = 1;
      if (ended) {
        EXPECT_EQ(bytes_of(again.finish()), bytes_of(whole));
      }
    }
    EXPECT_GT(sittings, 4U);
    EXPECT_EQ(files_of("parts"), bytes_of(whole));
    EXPECT_EQ(read_file(path("parts/analysis.json")).empty(), false);
  }
};

TEST_F(InParts, NetsOfABudgetAreTheSame) {
  Options options = mixed_options("word");
  options.max_epochs.reset();
  options.lambdas = {1e-3};
  options.max_parameters = 25;
  RunOptions all = options_for(Mixed(150).csv(), options);
  all.checkpoint_every = 5;
  const Result whole = run(all, "whole");
  std::set<std::size_t> inputs;
  for (const NetResult& net : whole.nets) inputs.insert(net.inputs);
  ASSERT_GT(inputs.size(), 1U) << "columns were left out";
  const auto begun_again = [](const NetResult& net) { return net.beginning > 0; };
  ASSERT_TRUE(std::ranges::any_of(whole.nets, begun_again));
  EXPECT_EQ(whole.nets[*whole.chosen].kind, NetKind::fixed);
  expect_same_in_parts(all, whole, 8);
}

/// Nets that end by themselves, on three folds.
Options three_folds() {
  Options options = mixed_options("word");
  options.max_epochs.reset();
  options.lambdas.clear();
  options.path = 2;
  options.ensemble = 3;
  options.hidden_layers = 1;
  return options;
}

TEST_F(InParts, NetsOfAnEnsembleAreTheSame) {
  RunOptions all = options_for(Mixed(150).csv(), three_folds());
  all.checkpoint_every = 5;
  const Result whole = run(all, "whole");
  EXPECT_EQ(whole.nets[*whole.chosen].members.size(), 3U);
  expect_same_in_parts(all, whole, 150);
}

TEST_F(InParts, NetsThatGoOnWithAllRowsAreTheSame) {
  Options options = three_folds();
  options.encode = Encode::plain;
  options.refit = Refit::on;
  RunOptions all = options_for(Mixed(150).csv(), options);
  all.checkpoint_every = 5;
  const Result whole = run(all, "whole");
  EXPECT_TRUE(whole.nets[*whole.chosen].refit);
  expect_same_in_parts(all, whole, 20);
}

TEST_F(InParts, ANetThatAnEnsembleTaughtIsTheSame) {
  Options options = three_folds();
  options.encode = Encode::plain;
  options.distil = Distil::on;
  RunOptions all = options_for(Mixed(100).csv(), options);
  all.checkpoint_every = 5;
  const Result whole = run(all, "whole");
  EXPECT_TRUE(whole.nets[*whole.chosen].taught);
  expect_same_in_parts(all, whole, 40);
}

TEST_F(RunFolder, AnObserversMistakeLeavesARunThatGoesOn) {
  struct Mistake final : Observer {
    void on_epoch(const EpochReport& report) override {
      if (report.epoch == 5) throw std::domain_error("the host's mistake");
    }
  };
  RunOptions options = options_for(Ring(200).csv(), ring_options());
  options.checkpoint_every = 2;
  const std::vector<std::string> whole = bytes_of(run(options, "whole"));
  {
    coppice::Run broken = coppice::Run::create(options, path("run"));
    Mistake mistake;
    EXPECT_THROW(broken.train(&mistake), std::domain_error);
  }
  coppice::Run again = coppice::Run::resume(path("run"), [](RunOptions&) {});
  EXPECT_TRUE(again.train(nullptr));
  EXPECT_EQ(bytes_of(again.finish()), whole);
}

TEST_F(RunFolder, ItsObserverIsCalledByTheCallerAlone) {
  Witness witness;
  std::set<std::thread::id> asked_by;
  const std::set here{std::this_thread::get_id()};
  coppice::Run run = coppice::Run::create(options_for(Ring(200).csv(), ring_options()), path("run"), [&] {
    asked_by.insert(std::this_thread::get_id());
    return false;
  });
  ASSERT_TRUE(run.train(&witness));
  const Result result = run.finish();
  EXPECT_EQ(witness.threads, here);
  EXPECT_EQ(asked_by, here);
  EXPECT_EQ(witness.calls.front(), "begin");
  EXPECT_EQ(witness.epochs.size(), result.nets[0].epochs);
  EXPECT_EQ(witness.begun.train_rows, 180U);
}

TEST_F(RunFolder, AStopWhileReadingLeavesNoDirectory) {
  try {
    coppice::Run::create(options_for(Ring(200).csv(), ring_options()), path("run"), [] { return true; });
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_FALSE(std::filesystem::exists(path("run")));
}

TEST_F(RunFolder, AStopWhileFinishingLeavesARunThatGoesOn) {
  const RunOptions options = options_for(Ring(200).csv(), ring_options());
  bool now = false;
  {
    coppice::Run run = coppice::Run::create(options, path("run"), [&] { return now; });
    ASSERT_TRUE(run.train(nullptr));
    now = true;
    try {
      run.finish();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(path("run/summary.json")));
  coppice::Run again = coppice::Run::resume(path("run"), [](RunOptions&) {});
  EXPECT_TRUE(again.train(nullptr));
  EXPECT_EQ(bytes_of(again.finish()), bytes_of(run(options, "whole")));
}

TEST_F(RunFolder, OtherSettingsOrDataAreRefused) {
  RunOptions options = options_for(Ring(200).csv(), ring_options());
  options.validation = write("v.csv", Ring(50, 2).csv());
  run(options, "run");
  const auto refusal = [&](const std::function<void(RunOptions&)>& change) {
    return message_of([&] { coppice::Run::resume(path("run"), change); });
  };
  EXPECT_THAT(refusal([](RunOptions& o) { o.options.patience = 50; }), HasSubstr("`patience` 4"))
      << "what the effort decided";
  EXPECT_THAT(refusal([](RunOptions& o) { o.options.lambdas = {3}; }), HasSubstr("`lambda` 0.001, not 3"));
  EXPECT_THAT(refusal([](RunOptions& o) {
                o.validation.clear();
                o.options.validation = 0.5;
              }),
              HasSubstr("`validation`"));
  EXPECT_NO_THROW(coppice::Run::resume(path("run"), [](RunOptions& o) {
    o.options.patience = 4;  // as it was
    o.options.threads = 1;
  }));
  std::filesystem::rename(path("v.csv"), path("w.csv"));
  EXPECT_NO_THROW(coppice::Run::resume(path("run"), [&](RunOptions& o) { o.validation = path("w.csv"); }))
      << "files may move";
  write("w.csv", Ring(51, 2).csv());
  EXPECT_THAT(refusal([&](RunOptions& o) { o.validation = path("w.csv"); }),
              HasSubstr("the validation file is not the one"));
  write("w.csv", Ring(50, 2).csv());
  write("data.csv", Ring(201).csv());
  EXPECT_THAT(refusal([&](RunOptions& o) { o.validation = path("w.csv"); }),
              HasSubstr("the data file is not the one"));
}

// ---- Directories.

TEST_F(RunFolder, AFailedRunLeavesNoDirectory) {
  RunOptions options;
  options.data = write("d.csv", "a,y\n1,p\n2,p\n");
  options.options.target = std::string("y");
  message_of([&] { coppice::Run::create(options, path("deep/run")); });
  EXPECT_FALSE(std::filesystem::exists(path("deep")));
}

TEST_F(RunFolder, OnlyOneRunCanBeInADirectory) {
  RunOptions options;
  options.data = write("d.csv", "a,y\n1,p\n2,q\n3,p\n4,q\n5,p\n6,q\n");
  options.options.target = std::string("y");
  options.options.device = Device::cpu;
  const auto resume = [&] { return coppice::Run::resume(path("run"), [](RunOptions&) {}); };
  {
    coppice::Run run = coppice::Run::create(options, path("run"));
    EXPECT_THAT(message_of([&] { coppice::Run::create(options, path("run")); }),
                HasSubstr("another coppice process"));
    const coppice::Run moved = std::move(run);
    EXPECT_THAT(message_of(resume), HasSubstr("another coppice process"));
  }
  EXPECT_EQ(resume().directory(), path("run"));
  EXPECT_THAT(message_of([&] { coppice::Run::create(options, path("run")); }),
              HasSubstr("already holds a run"));
}

}  // namespace
}  // namespace coppice
