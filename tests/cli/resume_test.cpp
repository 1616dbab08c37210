#include "tests/cli/program.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <random>
#include <set>
#include <thread>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

#ifdef COPPICE_SANITIZED
constexpr int rounds = 1;
constexpr double slowness = 8;
#else
constexpr int rounds = 3;
constexpr double slowness = 1;
#endif

class Resume : public Program {
 protected:
  static constexpr std::size_t nets = 4;
  const Arguments flags{"--lambda",        "1e-2,1e-3", "--seeds",         "2", "--patience",   "12",
                        "--fine-patience", "2",         "--unit-lifetime", "5", "--max-epochs", "70",
                        "--test",          "0.1",       "--quiet"};

  void SetUp() override {
    Program::SetUp();
    write("d.csv", ring_csv(2500));
  }

  Arguments started(const std::string& run, const Arguments& more = {}) const {
    return Arguments{"train", "d.csv", "-o", run} + flags + more;
  }

  void expect_same_models(const std::string& a, const std::string& b) const {
    for (std::size_t i = 0; i < nets; ++i) {
      const std::string model = fmt::format("net-{}.coppice", i);
      EXPECT_TRUE(read(a + "/" + model) == read(b + "/" + model)) << model << " differs";
    }
    for (const char* name : {"/model.coppice", "/analysis.json"}) {
      EXPECT_TRUE(read(a + name) == read(b + name)) << name << " differs";
    }
    Json first = read_json(a + "/summary.json");
    Json second = read_json(b + "/summary.json");
    EXPECT_EQ(first["nets"], second["nets"]);
    EXPECT_EQ(events(a), events(b)) << "the journals tell different stories";
  }

  /// The journal without the times; nets that train side by side may take turns differently.
  std::multiset<std::string> events(const std::string& run) const {
    std::multiset<std::string> all;
    for (const std::string& line : lines_of(read(run + "/journal.jsonl"))) {
      Json event = Json::parse(line);
      event.erase("seconds");
      all.insert(event.dump());
    }
    return all;
  }

  /// Sends a signal some time after the run has begun; false if it was over before.
  bool interrupt(const Arguments& arguments, const std::string& run, int signal, double milliseconds,
                 Outcome& outcome) const {
    Started program(folder_, arguments);
    while (!exists(run + "/config.json") && !program.ended())
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
    const bool running = !program.ended();
    program.send(signal);
    outcome = program.wait();
    return running && outcome.code != 0;
  }

  /// No file that was only begun is left, and none but those documented.
  void expect_tidy(const std::string& run) const {
    for (const auto& [name, bytes] : files()) EXPECT_FALSE(name.ends_with(".tmp")) << name << " in " << run;
  }
};

TEST_F(Resume, KilledAtAnyMomentItEndsWithTheSameBytes) {
  ok(started("whole", {"--threads", "2"}));
  const Json whole = read_json("whole/summary.json");
  const double time = whole["seconds"].get<double>() * 1000;
  std::mt19937 random(5);
  int all_kills = 0;
  for (int round = 0; round < rounds; ++round) {
    for (const std::string every : {"1", "7"}) {
      const std::string run = fmt::format("run-{}-{}", round, every);
      const std::string threads = std::to_string(1 + random() % 3);
      Arguments next = started(run, {"--checkpoint-every", every, "--threads", threads});
      int kills = 0;
      Outcome outcome;
      for (int i = 0; i < 5; ++i) {
        const double wait = time * static_cast<double>(random() % 1000) / 1500;
        if (!interrupt(next, run, SIGKILL, wait, outcome)) break;
        EXPECT_EQ(outcome.code, -SIGKILL);
        ++kills;
        ++all_kills;
        next = {"train", "--resume", run, "--quiet"};
      }
      SCOPED_TRACE(fmt::format("{} after {} kills", run, kills));
      if (!exists(run + "/summary.json") || outcome.code != 0) ok({"train", "--resume", run, "--quiet"});
      expect_same_models("whole", run);
      expect_tidy(run);
    }
  }
  EXPECT_GE(all_kills, 4 * rounds) << "most of the runs were over before they could be killed";
}

TEST_F(Resume, SignalsLeaveARunThatCanBeContinued) {
  ok(started("whole"));
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string run = fmt::format("run-{}", signal);
    Outcome outcome;
    // Checkpoints at regular intervals are far away: the signal itself must write them.
    ASSERT_TRUE(interrupt(started(run, {"--checkpoint-every", "1000"}), run, signal, 60 * slowness, outcome));
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_THAT(outcome.errors, HasSubstr("coppice train --resume " + run));
    EXPECT_TRUE(exists(run + "/checkpoints/net-0.state"));
    EXPECT_FALSE(exists(run + "/summary.json"));
    refused({"inspect", run}, {run, "not finished", "--resume"});
    const std::size_t epochs = events(run).size();
    ok({"train", "--resume", run, "--quiet"});
    EXPECT_GT(events(run).size(), epochs);
    expect_same_models("whole", run);
  }
}

TEST_F(Resume, AnImmediateSignalEndsWithItsCode) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string run = fmt::format("run-{}", signal);
    Outcome outcome;
    ASSERT_TRUE(interrupt(started(run), run, signal, 0, outcome));
    EXPECT_EQ(outcome.code, 128 + signal);
  }
}

TEST_F(Resume, ThreadsDoNotChangeTheBytes) {
  ok(started("one", {"--threads", "1"}));
  for (const std::string threads : {"2", "3"}) {
    ok(started("run-" + threads, {"--threads", threads}));
    expect_same_models("one", "run-" + threads);
  }
  // One wide net alone: its work is shared among threads.
  const Arguments wide{"train", "d.csv",        "--start-units", "150",    "--max-epochs",
                       "4",     "--batch-size", "500",           "--quiet"};
  ok(wide + Arguments{"-o", "wide-1", "--threads", "1"});
  for (const std::string threads : {"2", "3"}) {
    ok(wide + Arguments{"-o", "wide-" + threads, "--threads", threads});
    EXPECT_TRUE(read("wide-1/model.coppice") == read("wide-" + threads + "/model.coppice"));
  }
  const Outcome one = ok({"predict", "wide-1/model.coppice", "d.csv", "--threads", "1"});
  EXPECT_EQ(one.out, ok({"predict", "wide-1/model.coppice", "d.csv", "--threads", "3"}).out);
}

TEST_F(Resume, ANetTrainsTheSameAloneAndInCompany) {
  ok(started("many"));
  ok({"train", "d.csv", "-o", "alone", "--lambda", "1e-3", "--seed", "1", "--patience", "12",
      "--fine-patience", "2", "--unit-lifetime", "5", "--max-epochs", "70", "--quiet"});
  ok({"train", "d.csv", "-o", "pair", "--lambda", "1e-2,1e-3", "--seed", "1", "--patience", "12",
      "--fine-patience", "2", "--unit-lifetime", "5", "--max-epochs", "70", "--quiet"});
  EXPECT_TRUE(read("alone/net-0.coppice") == read("pair/net-1.coppice"));
}

TEST_F(Resume, ResumingAFinishedRunIsHarmless) {
  ok(started("run"));
  const auto before = files();
  const Json summary = read_json("run/summary.json");
  ok({"train", "--resume", "run", "--quiet"});
  for (const auto& [name, bytes] : files()) {
    if (name == "run/summary.json" || name == "run/report.html") continue;  // these tell the time it took
    EXPECT_TRUE(before.at(name) == bytes) << name;
  }
  const Json again = read_json("run/summary.json");
  EXPECT_EQ(again["nets"], summary["nets"]);
  EXPECT_NEAR(again["seconds"], summary["seconds"], 0.25) << "the time it took is not forgotten";
}

TEST_F(Resume, WithoutItsCheckpointsAFinishedRunIsTrainedAnew) {
  ok(started("run"));
  const auto before = files();
  std::filesystem::remove_all(path("run/checkpoints"));
  ok({"train", "--resume", "run", "--quiet"});
  for (const auto& [name, bytes] : files()) {
    if (!name.ends_with(".coppice") && !name.ends_with(".state")) continue;
    EXPECT_TRUE(before.at(name) == bytes) << name;
  }
  EXPECT_EQ(lines_of(read("run/journal.jsonl")).size(), lines_of(before.at("run/journal.jsonl")).size());
}

TEST_F(Resume, OtherFlagsAreRefusedAndNamed) {
  Outcome outcome;
  ok(started("run", {"--validation", "0.25"}));
  const Arguments resume{"train", "--resume", "run"};
  refused(resume + Arguments{"--lambda", "1e-2"}, {"--lambda 0.01,0.001", "not 0.01"});
  refused(resume + Arguments{"--seeds", "3"}, {"--seeds 2", "not 3"});
  refused(resume + Arguments{"--activation", "tanh"}, {"--activation \"relu\"", "not \"tanh\""});
  refused(resume + Arguments{"--validation", "0.5"}, {"--validation"});
  refused(resume + Arguments{"--validation", "d.csv"}, {"--validation"});
  refused(resume + Arguments{"--max-epochs", "71"}, {"--max-epochs 70", "not 71"});
  refused(resume + Arguments{"--target", "x0"}, {"--target \"label\"", "x0"});
  refused(resume + Arguments{"-o", "other"}, {"-o"});
  refused(resume + Arguments{"--config", "run/config.json"}, {"--config"});
  ok(resume + Arguments{"--threads", "1", "--checkpoint-every", "3", "--lambda", "0.01,0.001", "--quiet"});
  refused({"train", "--resume", "nowhere"}, {"nowhere", "no run"});
}

TEST_F(Resume, AnAlteredConfigurationIsRefused) {
  ok(started("run", {}));
  std::string config = read("run/config.json");
  const std::string patience = "\"patience\": 12.0";
  ASSERT_NE(config.find(patience), std::string::npos) << config;
  write("run/config.json", config.replace(config.find(patience), patience.size(), "\"patience\": 20.0"));
  refused({"train", "--resume", "run", "--quiet"}, {"net-0.state", "config.json"});
}

TEST_F(Resume, OtherDataIsRefusedAndNamed) {
  write("v.csv", ring_csv(100, 2));
  write("t.csv", ring_csv(100, 3));
  ok({"train", "d.csv", "--validation", "v.csv", "--test", "t.csv", "--max-epochs", "3", "-o", "run",
      "--quiet"});
  for (const auto& [file, role] : {std::pair{"d.csv", "data"}, {"v.csv", "validation"}, {"t.csv", "test"}}) {
    const std::string bytes = read(file);
    write(file, bytes + "0.5,0.5,1\n");
    refused({"train", "--resume", "run"}, {std::string("the ") + role + " file", "checksum"});
    write(file, bytes);
  }
  ok({"train", "--resume", "run", "--quiet"});
}

/// The program has no table to hand in; libraries do.
TEST_F(Resume, DataThatWasInMemoryIsLeftToThoseWhoHaveIt) {
  ok({"train", "d.csv", "--max-epochs", "1", "-o", "run", "--quiet"});
  Json config = read_json("run/config.json");
  config["data"] = nullptr;
  write("run/config.json", config.dump());
  refused({"train", "--resume", "run"}, {"--resume run", "a table in memory", "resume it from code"});
  refused({"train", "d.csv", "--resume", "run"}, {"a table in memory", "resume it from code"});
  refused({"train", "d.csv", "-o", "run"}, {"a table in memory", "choose another directory"});
}

TEST_F(Resume, FilesAreFoundFromAnotherDirectoryAndMayMove) {
  write("v.csv", ring_csv(100, 2));
  write("t.csv", ring_csv(100, 3));
  ok({"train", "d.csv", "--validation", "v.csv", "--test", "t.csv", "--max-epochs", "3", "-o", "run",
      "--quiet"});
  const Json config = read_json("run/config.json");
  for (const char* key : {"data", "validation", "test"})
    EXPECT_EQ(config[key].get<std::string>()[0], '/') << key;
  std::filesystem::create_directories(path("elsewhere"));
  EXPECT_EQ(Started(path("elsewhere"), {"train", "--resume", "../run", "--quiet"}).wait().code, 0);
  std::filesystem::rename(path("v.csv"), path("moved.csv"));
  refused({"train", "--resume", "run"}, {"v.csv"});
  ok({"train", "d.csv", "--resume", "run", "--validation", "moved.csv", "--quiet"});
}

TEST_F(Resume, AnAlteredCheckpointIsRefused) {
  Outcome outcome;
  ASSERT_TRUE(interrupt(started("run", {"--checkpoint-every", "1"}), "run", SIGTERM, 60 * slowness, outcome));
  const std::string file = "run/checkpoints/net-1.state";
  const std::string bytes = read(file);
  write(file, bytes.substr(0, bytes.size() / 2));
  refused({"train", "--resume", "run", "--quiet"}, {file, "truncated or altered"});
  std::string flipped = bytes;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
  write(file, flipped);
  refused({"train", "--resume", "run", "--quiet"}, {file, "truncated or altered"});
  write(file, read("run/checkpoints/net-0.state"));
  refused({"train", "--resume", "run", "--quiet"}, {file, "another net"});
  write(file, bytes);
  ok({"train", "--resume", "run", "--quiet"});
}

}  // namespace
}  // namespace coppice::test
