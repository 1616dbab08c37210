// A run over ranks is the run of one process, whatever their number.
#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/ranks/lead.h"
#include "coppice/ranks/rank_rows.h"
#include "coppice/ranks/serve.h"
#include "coppice/run/layout.h"

#include "tests/ranks/local_messengers.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <random>
#include <thread>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class RankCrewTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(::testing::TempDir()) /
        ("coppice-crew-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream table(folder_ / "d.csv");
    std::mt19937 chance(1);
    std::normal_distribution<double> draw;
    table << "x0,x1,label\n";
    for (int i = 0; i < 200; ++i) {
      const double x = draw(chance);
      const double y = draw(chance);
      table << x << ',' << y << ',' << (x * x + y * y > 1.4 ? 1 : 0) << '\n';
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  RunOptions options() const {
    RunOptions run;
    run.data = path("d.csv");
    run.options.device = Device::cpu;
    run.options.threads = 1;
    run.options.hidden_layers = 1;
    run.options.patience = 2;
    run.options.fine_patience = 1;
    run.options.unit_lifetime = 2;
    run.options.ensemble = 2;
    run.checkpoint_every = 3;
    return run;
  }

  /// Lets `lead` be rank 0 of so many; the others are threads.
  static void on_ranks(std::size_t count, const std::function<void(Ranks&)>& lead) {
    const auto boxes = std::make_shared<std::vector<Mailbox>>(count);
    std::vector<std::thread> others;
    for (std::size_t rank = 1; rank < count; ++rank) {
      others.emplace_back([boxes, rank] {
        LocalMessenger messenger(boxes, rank);
        serve(messenger, {"train"});
      });
    }
    {
      LocalMessenger messenger(boxes, 0);
      Ranks ranks(messenger);
      ranks.meet({"train"});
      lead(ranks);
    }
    for (std::thread& other : others) other.join();
  }

  void train_on(std::size_t count, const std::string& run, DataFrom from) const {
    on_ranks(count, [&](Ranks& ranks) {
      coppice::Run all = coppice::Run::create(options(), path(run));
      ranks.set_up(all, from, [] { return false; });
      RankCrew crew(ranks, all);
      EXPECT_TRUE(all.train(nullptr, &crew));
      all.finish();
    });
  }

  void expect_same(const std::string& one, const std::string& other) const {
    std::size_t nets = 0;
    for (const auto& entry : fs::directory_iterator(path(one))) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".coppice")) continue;
      ++nets;
      EXPECT_TRUE(read_file(entry.path().string()) == read_file(layout::in(path(other), name)))
          << name << " of " << other << " differs";
    }
    EXPECT_GT(nets, 6U) << "there were not several rounds";
  }

  fs::path folder_;
};

TEST_F(RankCrewTest, AnyNumberOfRanksComesToTheSameModels) {
  coppice::Run alone = coppice::Run::create(options(), path("alone"));
  EXPECT_TRUE(alone.train(nullptr));
  alone.finish();
  for (const std::size_t count : {2U, 4U, 7U}) {
    const std::string run = "of-" + std::to_string(count);
    train_on(count, run, count == 4 ? DataFrom::shared : DataFrom::root);
    expect_same("alone", run);
  }
}

TEST_F(RankCrewTest, ANetThatAnEnsembleTaughtIsTheSame) {
  RunOptions taught = options();
  taught.options.distil = Distil::on;
  coppice::Run alone = coppice::Run::create(taught, path("alone"));
  EXPECT_TRUE(alone.train(nullptr));
  const Result result = alone.finish();
  EXPECT_TRUE(result.nets[*result.chosen].taught);
  on_ranks(3, [&](Ranks& ranks) {
    coppice::Run all = coppice::Run::create(taught, path("of-3"));
    ranks.set_up(all, DataFrom::root, [] { return false; });
    RankCrew crew(ranks, all);
    EXPECT_TRUE(all.train(nullptr, &crew));
    all.finish();
  });
  expect_same("alone", "of-3");
}

TEST_F(RankCrewTest, NetsThatFillABudgetAreTheSame) {
  RunOptions small = options();
  small.options.ensemble.reset();
  small.options.max_parameters = 12;
  coppice::Run alone = coppice::Run::create(small, path("alone"));
  EXPECT_TRUE(alone.train(nullptr));
  const Result result = alone.finish();
  const auto begun_again = [](const NetResult& net) { return net.beginning > 0; };
  EXPECT_TRUE(std::ranges::any_of(result.nets, begun_again));
  on_ranks(3, [&](Ranks& ranks) {
    coppice::Run all = coppice::Run::create(small, path("of-3"));
    ranks.set_up(all, DataFrom::root, [] { return false; });
    RankCrew crew(ranks, all);
    EXPECT_TRUE(all.train(nullptr, &crew));
    all.finish();
  });
  expect_same("alone", "of-3");
}

TEST_F(RankCrewTest, WhatStoppedOnSeveralGoesOnAlone) {
  coppice::Run alone = coppice::Run::create(options(), path("alone"));
  EXPECT_TRUE(alone.train(nullptr));
  alone.finish();
  bool stopped = false;
  on_ranks(4, [&](Ranks& ranks) {
    coppice::Run all = coppice::Run::create(options(), path("run"), [&] { return stopped; });
    ranks.set_up(all, DataFrom::root, [] { return false; });
    RankCrew crew(ranks, all);
    class Stop final : public Observer {
     public:
      explicit Stop(bool& stop) : stop_(&stop) {}
      void on_epoch(const EpochReport&) override { *stop_ = ++epochs_ > 20; }

     private:
      bool* stop_;
      int epochs_ = 0;
    } stop(stopped);
    EXPECT_FALSE(all.train(&stop, &crew));
  });
  coppice::Run rest = coppice::Run::resume(path("run"), [](RunOptions&) {});
  EXPECT_TRUE(rest.train(nullptr));
  rest.finish();
  expect_same("alone", "run");
}

TEST_F(RankCrewTest, RowsThatSeveralHoldMakeTheSameModels) {
  RunOptions shared = options();
  shared.options.rows_over_ranks = true;
  coppice::Run alone = coppice::Run::create(shared, path("alone"));
  EXPECT_TRUE(alone.train(nullptr));
  alone.finish();
  for (const std::size_t count : {2U, 4U}) {
    const std::string name = "of-" + std::to_string(count);
    on_ranks(count, [&](Ranks& ranks) {
      coppice::Run all = coppice::Run::create(shared, path(name));
      ranks.set_up(all, DataFrom::root, [] { return false; });
      all.set_team(std::make_unique<RankTeam>(ranks.messenger(), ranks.hellos(), all.training()));
      EXPECT_TRUE(all.train(nullptr));
      all.finish();
    });
    expect_same("alone", name);
  }
  EXPECT_NO_THROW(refuse_rank_count(8));
  EXPECT_THROW(refuse_rank_count(3), Error);
  EXPECT_THROW(refuse_rank_count(16), Error);
}

TEST_F(RankCrewTest, ASearchIsTheSame) {
  SearchRunOptions search;
  search.space.kind = SearchKind::random;
  search.space.trials = 9;
  search.space.layers = {{.low = 2, .high = 12}};
  search.space.reruns = 2;
  search.space.top = 2;
  search.run = options();
  for (auto* unused : {&search.run.options.hidden_layers, &search.run.options.ensemble}) unused->reset();
  search.run.options.unit_lifetime.reset();
  search.run.checkpoint_every.reset();
  search.run.options.max_epochs = 5;
  SearchRun alone = SearchRun::create(search, path("alone"));
  EXPECT_TRUE(alone.train(nullptr));
  alone.finish();
  for (const std::size_t count : {2U, 5U}) {
    const std::string name = "of-" + std::to_string(count);
    on_ranks(count, [&](Ranks& ranks) {
      SearchRun all = SearchRun::create(search, path(name));
      ranks.set_up(all, DataFrom::root, [] { return false; });
      SearchCrew crew(ranks, all);
      EXPECT_TRUE(all.train(nullptr, &crew));
      all.finish();
    });
    for (const char* file : {"results.jsonl", "summary.json", "model.coppice"})
      EXPECT_TRUE(read_file(layout::in(path("alone"), file)) == read_file(layout::in(path(name), file)))
          << file;
  }
}

TEST_F(RankCrewTest, ARankThatCannotReadTheDataIsNamed) {
  on_ranks(2, [&](Ranks& ranks) {
    const coppice::Run all = coppice::Run::create(options(), path("run"));
    fs::remove(folder_ / "d.csv");
    try {
      ranks.set_up(all, DataFrom::shared, [] { return false; });
      ADD_FAILURE() << "it was not refused";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("rank 1 on "));
      EXPECT_THAT(error.what(), HasSubstr("d.csv"));
    }
  });
}

}  // namespace
}  // namespace coppice
