#include "tests/cli/program.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <thread>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class SearchProgram : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("d.csv", ring_csv(800));
  }
  const Arguments quick{"--effort", "quick", "--test", "0.2", "--device", "cpu"};
  Arguments random(const std::string& out, const Arguments& more = {}) const {
    return Arguments{"search", "random", "d.csv", "-o", out, "--hidden", "2-20,2-9", "--trials", "12"} +
           quick + more;
  }
  std::vector<std::string> sorted_results(const std::string& directory) const {
    std::vector<std::string> lines = lines_of(read(directory + "/results.jsonl"));
    std::ranges::sort(lines);
    return lines;
  }
};

TEST_F(SearchProgram, RandomFindsANetThatCanBeUsed) {
  const Outcome outcome = ok(random("s"));
  EXPECT_THAT(outcome.errors, HasSubstr("12 nets"));
  EXPECT_THAT(outcome.errors, HasSubstr("nets 12/12  best "));
  EXPECT_THAT(outcome.errors, Not(HasSubstr("found from the number of rows"))) << "sizes were given";
  EXPECT_THAT(outcome.out,
              ContainsRegex("optimizer, step +norm +units +params +validation % +test % +epochs"));
  const std::vector<std::string> lines = lines_of(outcome.out);
  const auto errors = [](const std::string& line) {
    return ::testing::Matches(ContainsRegex("batchnorm.* [0-9]+\\.[0-9]+ +[0-9]+\\.[0-9]+ +[0-9]+$"))(line);
  };
  EXPECT_EQ(std::ranges::count_if(lines, errors), 10) << "the ten best, with two errors each";
  EXPECT_THAT(outcome.out, HasSubstr("the model is the first setting's best net"));
  EXPECT_THAT(outcome.out, HasSubstr("the 10 best of 12 settings; summary.json has all"));
  ASSERT_EQ(sorted_results("s").size(), 12U);
  const Json summary = read_json("s/summary.json");
  EXPECT_EQ(summary["kind"], "random");
  EXPECT_EQ(summary["settings"].size(), 12U);
  EXPECT_LT(summary["model"]["validation_error"], 0.1);
  const Json model = ok({"inspect", "s/model.coppice", "--json"}).json();
  EXPECT_EQ(model["origin"]["validation_error"], summary["model"]["validation_error"]);
  EXPECT_LT(ok({"evaluate", "s/model.coppice", "d.csv", "--json"}).json()["error"], 0.1);
  EXPECT_EQ(ok({"inspect", "s", "--json"}).out, ok({"inspect", "s/model.coppice", "--json"}).out);
  EXPECT_EQ(ok({"predict", "s", "d.csv"}).out, ok({"predict", "s/model.coppice", "d.csv"}).out);
  EXPECT_EQ(ok({"search", "random", "--resume", "s", "--json", "--quiet"}).json(), summary);
}

TEST_F(SearchProgram, GridWithRerunsRanksByTheMedian) {
  const Outcome outcome =
      ok(Arguments{"search", "grid",    "d.csv",     "--hidden",     "12,5",     "--hidden",
                   "3",      "--steps", "1,30",      "--optimizers", "sgd,adam", "--normalised-steps",
                   "0.01",   "--norms", "batchnorm", "--reruns",     "3",        "--top",
                   "2",      "--json"} +
         quick);
  const Json summary = outcome.json();
  EXPECT_EQ(summary["nets"], 2 * 3 + 2 * 2);
  EXPECT_EQ(summary["settings"].size(), 6U);
  EXPECT_EQ(summary["settings"][0]["seeds"], Json({0, 1, 2}));
  EXPECT_EQ(summary["settings"][2]["seeds"], Json::array({0}));
  EXPECT_LE(summary["settings"][0]["criterion"]["median"], summary["settings"][1]["criterion"]["median"]);
  EXPECT_EQ(summary["model"]["hidden"], summary["settings"][0]["hidden"]);
  EXPECT_EQ(summary["model"]["criterion"], summary["settings"][0]["criterion"]["low"]);
  EXPECT_TRUE(exists("runs/d-search/model.coppice")) << "the directory has a name of its own";
}

TEST_F(SearchProgram, TheTableOfRerunsFitsAHundredColumns) {
  const Outcome outcome = ok(Arguments{"search", "random", "d.csv", "-o", "s", "--hidden",
                                       "20-40,10-30,10-20", "--trials", "8", "--reruns", "3", "--top", "4"} +
                             quick);
  EXPECT_THAT(outcome.out,
              ContainsRegex(" [0-9.]+ \\([0-9.]+-[0-9.]+\\)  +[0-9.]+ \\([0-9.]+-[0-9.]+\\)  +[0-9]+\n"));
  EXPECT_THAT(outcome.out, HasSubstr("median and range of 3 nets"));
  for (const std::string& line : lines_of(outcome.out)) EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(SearchProgram, InterruptedByCtrlCGoesOnToTheSameEnd) {
  const Arguments longer{"--patience", "300", "--quiet"};
  ok(random("whole", longer));
  bool interrupted = false;
  Outcome outcome;
  for (int pause = 100; pause > 0 && !interrupted; pause /= 2) {
    std::filesystem::remove_all(path("parts"));
    Started started(folder_, random("parts", longer));
    while (!exists("parts/results.jsonl") && !started.ended())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    if (!started.ended()) started.send(SIGINT);
    outcome = started.wait();
    interrupted = outcome.code != 0;
  }
  ASSERT_TRUE(interrupted);
  EXPECT_EQ(outcome.code, 128 + SIGINT);
  EXPECT_THAT(outcome.errors, HasSubstr("continue with: coppice search random --resume parts"));
  EXPECT_LT(sorted_results("parts").size(), 12U);
  EXPECT_FALSE(exists("parts/model.coppice"));
  ok({"search", "random", "--resume", "parts", "--quiet", "--threads", "3"});
  EXPECT_EQ(sorted_results("parts"), sorted_results("whole"));
  EXPECT_TRUE(read("parts/model.coppice") == read("whole/model.coppice"));
  EXPECT_EQ(read("parts/summary.json"), read("whole/summary.json"));
}

TEST_F(SearchProgram, BadInputIsRefusedAndNothingIsWritten) {
  const auto refuse = [&](const Arguments& more, const std::vector<std::string>& parts) {
    refused(Arguments{"search", "random", "d.csv", "-o", "r"} + more, parts);
  };
  refuse({"--trials", "0"}, {"--trials", "at least 1"});
  refuse({"--hidden", "20-2"}, {"--hidden", "empty"});
  refuse({"--hidden", "many"}, {"--hidden", "\"many\"", "10-200,5-100"});
  refuse({"--steps", "1,3"}, {"--steps", "range", "grid"});
  refuse({"--steps", "0-3"}, {"--steps", "above 0"});
  refuse({"--optimizers", "sgd,adamm"}, {"--optimizers", "\"adamm\"", "rmsprop"});
  refuse({"--norms", "layernorm"}, {"--norms", "batchnorm-affine"});
  refuse({"--optimizers", "adam", "--steps", "1-3"}, {"--steps", "--normalised-steps"});
  refuse({"--optimizers", "sgd", "--normalised-steps", "1-3"}, {"--normalised-steps", "--steps"});
  refuse({"--lambda", "1e-3"}, {"--lambda", "fixed size"});
  refuse({"--step", "3"}, {"--step", "--steps"});
  refuse({"--optimizer", "sgd"}, {"--optimizer", "--optimizers"});
  refuse({"--fixed-size", "4"}, {"--fixed-size", "--hidden"});
  refuse({"--seeds", "4"}, {"--seeds", "--reruns"});
  refuse({"--time-limit", "4"}, {"--time-limit", "--resume"});
  refuse({"--precision", "tf32", "--device", "cpu"}, {"--precision tf32"});
  refuse({"--triels", "4"}, {"--triels", "--trials", "coppice search random --help"});
  refused({"search", "grid", "d.csv"}, {"--hidden"});
  refused({"search", "grid", "d.csv", "--hidden", "10-20"}, {"--hidden", "random"});
  refused({"search", "grid", "d.csv", "--trials", "5"}, {"--trials", "no such flag"});
  refused({"search", "random"}, {"search random DATA"});
  refused({"search", "random", "nowhere.csv"}, {"nowhere.csv"});
  refused({"search"}, {"grid, random"});
  refused({"search", "rndom", "d.csv"}, {"\"rndom\"", "random"});
}

TEST_F(SearchProgram, ResultsOfAnotherSearchAreRefused) {
  ok(random("s", {"--quiet"}));
  write("e.csv", ring_csv(300));
  refused({"search", "random", "e.csv", "--resume", "s"}, {"--resume s", "checksum"});
  refused({"search", "random", "--resume", "s", "--patience", "77"}, {"--resume s", "--patience"});
  refused({"search", "random", "--resume", "s", "--hidden", "3-4"}, {"--resume s", "--hidden"});
  refused({"search", "grid", "--resume", "s"}, {"random search", "coppice search random --resume s"});
  refused({"search", "random", "--resume", "s", "-o", "t"}, {"leave -o out"});
  refused({"search", "random", "--resume", "t"}, {"--resume t", "search.json"});
  refused(random("s"), {"already holds a search", "--resume s"});
  refused({"train", "d.csv", "-o", "s"}, {"already holds a search", "coppice search random --resume s"});
  ok(random("other", {"--quiet", "--batch-size", "99"}));
  std::filesystem::copy_file(path("other/results.jsonl"), path("s/results.jsonl"),
                             std::filesystem::copy_options::overwrite_existing);
  refused({"search", "random", "--resume", "s", "--quiet"}, {"s/results.jsonl", "other settings"});
}

TEST_F(SearchProgram, ADataFileWhosePathCannotBeKeptIsRefusedBeforeAnythingIsCreated) {
  write("d\xff.csv", ring_csv(100));
  refused({"search", "grid", "d\xff.csv", "--hidden", "4", "-o", "s"}, {"not in UTF-8", "rename"});
  EXPECT_FALSE(exists("s"));
}

TEST_F(SearchProgram, SizesOfAGridAreToldApart) {
  const Arguments sizes{"--hidden", "4,3", "--hidden", "5"};
  ok(Arguments{"search", "grid", "d.csv", "-o", "s", "--optimizers", "sgd", "--steps", "1", "--norms", "none",
               "--quiet"} +
     sizes + quick);
  refused({"search", "grid", "--resume", "s", "--hidden", "4,3"}, {"--hidden 4,3 and 5, not 4,3;"});
}

TEST_F(SearchProgram, ASearchIsNoRunNorARunASearch) {
  ok(random("s", {"--quiet"}));
  ok({"train", "d.csv", "-o", "r", "--lambda", "0.01", "--max-epochs", "1", "--quiet", "--device", "cpu"});
  refused({"train", "--resume", "s"}, {"--resume s", "coppice search random --resume s"});
  refused({"search", "random", "--resume", "r"}, {"--resume r", "coppice train --resume r"});
  refused({"search", "grid", "d.csv", "--hidden", "4", "-o", "r"},
          {"already holds a run", "coppice train --resume r"});
  refused({"watch", "s"}, {"holds a search", "s/results.jsonl"});
  refused({"report", "s"}, {"holds a search", "s/summary.json"});
}

TEST_F(SearchProgram, ASearchWhereEveryNetDivergesSaysSo) {
  const Outcome outcome = call(Arguments{"search", "grid", "d.csv", "-o", "s", "--hidden", "4", "--steps",
                                         "1e30,1e35", "--optimizers", "sgd", "--norms", "none"} +
                               quick);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("failed"));
  EXPECT_THAT(outcome.errors, HasSubstr("every net diverged"));
  EXPECT_FALSE(exists("s/model.coppice"));
  EXPECT_EQ(sorted_results("s").size(), 2U);
}

TEST_F(SearchProgram, ErrorsOfASettingAreThoseOfItsNetsThatDidNotFail) {
  const Arguments grid{"search", "grid",         "d.csv", "-o",      "s",    "--hidden", "4", "--steps",
                       "1",      "--optimizers", "sgd",   "--norms", "none", "--reruns", "4"};
  ok(grid + quick);
  const std::vector<std::string> lines = lines_of(read("s/results.jsonl"));
  ASSERT_EQ(lines.size(), 4U);
  /// The table, had so many of the later seeds failed and the others these errors.
  const auto table_of = [&](std::size_t failed) {
    const std::array errors{0.1, 0.2, 0.3, 0.4};
    std::string text;
    for (const std::string& line : lines) {
      Json net = Json::parse(line);
      const std::size_t seed = net["seed"];
      net["validation_error"] = net["criterion"] = errors.at(seed);
      if (seed + failed >= errors.size()) {
        net["phase"] = "failed";
        net["validation_error"] = net["criterion"] = nullptr;
      }
      text += net.dump() + "\n";
    }
    write("s/results.jsonl", text);
    return ok({"search", "grid", "--resume", "s"}).out;
  };
  EXPECT_THAT(table_of(0), AllOf(HasSubstr(" 25.0 (10.0-40.0) "), Not(HasSubstr("failed"))));
  EXPECT_THAT(table_of(1), AllOf(HasSubstr(" 20.0 (10.0-30.0) "), HasSubstr("1 of 4 failed"),
                                 HasSubstr("less those that failed"), Not(HasSubstr("inf"))));
  EXPECT_THAT(table_of(2), AllOf(HasSubstr(" 15.0 (10.0-20.0) "), HasSubstr("2 of 4 failed")));
  EXPECT_THAT(table_of(3), AllOf(HasSubstr(" 10.0 "), HasSubstr("3 of 4 failed"), Not(HasSubstr("(10.0"))));
}

TEST_F(SearchProgram, CountsOfNetsAreProperlySaid) {
  const Arguments one{"search", "grid",    "d.csv", "--hidden", "4", "--optimizers",
                      "sgd",    "--norms", "none",  "--reruns", "2", "--output-capnorm",
                      "off"};
  const Outcome single = call(one + Arguments{"-o", "a", "--steps", "1"} + quick);
  EXPECT_THAT(single.errors, HasSubstr("1 net more: "));
  EXPECT_THAT(single.out, HasSubstr("2 nets in "));
  const Outcome failed = call(one + Arguments{"-o", "b", "--steps", "1e35"} + quick);
  EXPECT_THAT(failed.errors, Not(HasSubstr("net more")));
  EXPECT_THAT(failed.errors, Not(HasSubstr("nets more")));
  EXPECT_THAT(failed.out, HasSubstr("1 net in "));
}

TEST_F(SearchProgram, HelpNamesWhatASearchTakes) {
  EXPECT_THAT(ok({"--help"}).out, HasSubstr("search"));
  for (const std::string kind : {"grid", "random"}) {
    const std::string help = ok({"search", kind, "--help"}).out;
    for (const char* name : {"hidden", "steps", "normalised-steps", "optimizers", "norms", "reruns", "top",
                             "target", "batch-size", "patience", "threads", "resume", "json", "quiet"}) {
      EXPECT_THAT(help, HasSubstr(fmt::format("--{} ", name))) << kind;
    }
    EXPECT_THAT(help, AllOf(HasSubstr("|adam[,...]"), HasSubstr("|none[,...]"))) << "lists";
    for (const char* name : {"lambda", "step", "fixed-size", "unit-lifetime"})
      EXPECT_THAT(help, Not(HasSubstr(fmt::format("--{} ", name)))) << kind;
  }
}

}  // namespace
}  // namespace coppice::test
