// Jobs of an array, each with its share of a run's nets: merged they are the run of one process.
#include "tests/cli/program.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <gmock/gmock.h>
#include <set>
#include <thread>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

class Shards : public Program {
 protected:
  /// Several rounds: a path of lambdas, then two folds.
  const Arguments flags{"--threads",
                        "1",
                        "--patience",
                        "3",
                        "--fine-patience",
                        "1",
                        "--unit-lifetime",
                        "2",
                        "--ensemble",
                        "2",
                        "--hidden-layers",
                        "1",
                        "--quiet",
                        "--checkpoint-every",
                        "2"};

  void SetUp() override {
    Program::SetUp();
    write("d.csv", ring_csv(250));
  }

  Arguments shard(std::size_t index, std::size_t count, const std::string& run = "run") const {
    return Arguments{"train", "d.csv", "-o", run, "--shard", fmt::format("{}/{}", index, count)} + flags;
  }

  /// The journal without the times, in any order.
  std::multiset<std::string> events(const std::string& run) const {
    std::multiset<std::string> all;
    for (const std::string& line : lines_of(read(run + "/journal.jsonl"))) {
      Json event = Json::parse(line);
      event.erase("seconds");
      all.insert(event.dump());
    }
    return all;
  }

  /// Trains alone, and says whether the merged run is that.
  void expect_as_one(const std::string& merged = "run") const {
    ok(Arguments{"train", "d.csv", "-o", "one"} + flags);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path("one"))) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".coppice") && name != "analysis.json") continue;
      ++files;
      EXPECT_TRUE(read("one/" + name) == read(merged + "/" + name)) << name << " differs";
    }
    EXPECT_GT(files, 6U) << "there were not several rounds";
    Json one = read_json("one/summary.json");
    Json other = read_json(merged + "/summary.json");
    one.erase("seconds");
    other.erase("seconds");
    EXPECT_EQ(one, other);
    EXPECT_TRUE(events("one") == events(merged)) << "the journals tell different stories";
    EXPECT_EQ(read_json("one/config.json"), read_json(merged + "/config.json"));
  }
};

TEST_F(Shards, SideBySideMergeToTheRunOfOneProcess) {
  std::deque<Started> all;
  for (std::size_t i = 0; i < 3; ++i) all.emplace_back(folder_, shard(i, 3));
  for (Started& one : all) {
    const Outcome outcome = one.wait();
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_THAT(outcome.errors, HasSubstr("coppice merge run"));
  }
  ok({"merge", "run", "--threads", "1", "--quiet"});
  expect_as_one();
  EXPECT_TRUE(exists("run/report.html"));
}

TEST_F(Shards, OneAfterAnotherTakeOverWhatIsLeft) {
  const Outcome first = ok(shard(0, 3));
  EXPECT_THAT(first.errors, HasSubstr("depend on those of shards 1, 2"));
  refused({"merge", "run"}, {"not at their end", "at least 1, 2 of 3", "nothing was written"});
  EXPECT_THAT(ok(shard(1, 3)).errors, HasSubstr("depend on those of shard 2"));
  EXPECT_THAT(ok(shard(2, 3)).errors, HasSubstr("every net is trained"));
  ok({"merge", "run/shard-2-of-3", "run/shard-0-of-3", "run/shard-1-of-3", "-o", "merged", "--threads", "1",
      "--quiet"});
  expect_as_one("merged");
}

TEST_F(Shards, OfAKilledOneOthersTrainTheRest) {
  Started killed(folder_, shard(0, 2));
  while (!exists("run/shard-0-of-2/checkpoints/net-0.state") && !killed.ended())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  killed.send(SIGKILL);
  killed.wait();
  EXPECT_THAT(ok(shard(1, 2)).errors, HasSubstr("every net is trained"));
  ok({"merge", "run", "--threads", "1", "--quiet"});
  expect_as_one();
}

TEST_F(Shards, TheSameCommandGoesOnAndOtherOnesAreRefused) {
  ok(shard(0, 2));
  EXPECT_THAT(ok(shard(0, 2)).errors, HasSubstr("depend on those of shard 1"));
  refused(shard(0, 2) + Arguments{"--seed", "7"}, {"seed"});
  refused({"train", "d.csv", "--shard", "0/2", "-o", "run", "--time-limit", "5"}, {"--time-limit"});
  refused({"train", "d.csv", "--shard", "0/2"}, {"needs -o"});
  for (const char* text : {"2/2", "1", "a/b", "-1/2", "1/0", "1/2/3", "0/1000000"})
    refused({"train", "d.csv", "--shard", text, "-o", "x"}, {"--shard", "0/8 to 7/8"});
}

TEST_F(Shards, OfOtherDataOrKernelsAreRefused) {
  ok(shard(0, 2));
  const Arguments other = shard(1, 2) + Arguments{"--seed", "7"};
  const Outcome seeds = call(other);
  EXPECT_EQ(seeds.code, 2);
  EXPECT_THAT(seeds.errors, HasSubstr("shard-0-of-2: this shard has other data or other settings"));
  std::filesystem::remove_all(path("run/shard-1-of-2"));
  ASSERT_EQ(::setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1), 0);
  const Outcome kernels = call(shard(1, 2));
  ::unsetenv("ONEDNN_MAX_CPU_ISA");
  if (read_json("run/shard-0-of-2/config.json")["kernels"].get<std::string>().starts_with("oneDNN")) {
    EXPECT_EQ(kernels.code, 2);
    EXPECT_THAT(kernels.errors, HasSubstr("which round in another way"));
  }
}

TEST_F(Shards, MergeRefusesWhatIsNoShard) {
  ok(shard(0, 1, "a"));
  ok(shard(0, 2, "b"));
  refused({"merge", "a", "b", "-o", "c"}, {"one of 2 shards", "merge those of one division"});
  refused({"merge", "d.csv"}, {"holds no shard"});
  refused({"merge", "nowhere"}, {"holds no shard"});
  refused({"merge", "a/shard-0-of-1"}, {"merge needs -o"});
  write("other.csv", ring_csv(250, 2));
  refused({"merge", "a", "--data", "other.csv"}, {"the data file is not the one"});
  const std::string config = read("a/shard-0-of-1/config.json");
  for (const char* text : {"{}", R"({"data": 3, "checksums": {}})", R"({"data": "d.csv"})"}) {
    write("a/shard-0-of-1/config.json", text);
    refused({"merge", "a"},
            {"a/shard-0-of-1/config.json: is not a configuration that this version of train wrote"});
  }
  write("a/shard-0-of-1/config.json", config);
  ok({"merge", "a", "--quiet", "--threads", "1"});
  refused({"merge", "a"}, {"already holds a run"});
}

}  // namespace
}  // namespace coppice::test
