#include "tests/cli/program.h"

#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>
#include <thread>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Runs that train a path or begin with a model.
class Front : public Program {
 protected:
  /// A quick protocol that still runs to its end.
  const Arguments quick{"--patience", "12", "--fine-patience", "2", "--unit-lifetime", "8", "--quiet"};

  void SetUp() override {
    Program::SetUp();
    write("d.csv", ring_csv(600));
  }
  Json train(const std::string& run, const Arguments& more) const {
    ok(Arguments{"train", "d.csv", "-o", run} + quick + more);
    return read_json(run + "/summary.json");
  }
  static const Json& chosen(const Json& summary) {
    return summary["nets"][summary["chosen"].get<std::size_t>()];
  }
};

TEST_F(Front, WithoutLambdaAPathIsTrainedAndLaidOpen) {
  const Json summary =
      train("run", {"--ensemble", "off", "--distil", "off", "--hidden-layers", "2", "--encode", "plain"});
  const Json& nets = summary["nets"];
  ASSERT_GE(nets.size(), 5U);
  std::size_t smallest = SIZE_MAX;
  std::size_t largest = 0;
  for (const Json& net : nets) {
    EXPECT_EQ(net["phase"], "done");
    smallest = std::min(smallest, net["parameters"].get<std::size_t>());
    largest = std::max(largest, net["parameters"].get<std::size_t>());
    for (const Json& other : nets) {
      const bool beats = other["parameters"] <= net["parameters"] && other["log_loss"] <= net["log_loss"] &&
                         (other["parameters"] < net["parameters"] || other["log_loss"] < net["log_loss"]);
      if (beats) {
        EXPECT_TRUE(net["dominated"]);
      }
    }
  }
  EXPECT_LT(2 * smallest, largest) << "sizes differ";
  EXPECT_LE(chosen(summary)["validation_error"], 0.1) << "a ring is learned";
  const auto refits = std::ranges::count_if(nets, [](const Json& net) { return net["refit"].get<bool>(); });
  EXPECT_EQ(summary["points"].size() + static_cast<std::size_t>(refits), nets.size());
  EXPECT_EQ(read("run/model.coppice"), read("run/" + chosen(summary)["model"].get<std::string>()));
  EXPECT_FALSE(read_json("run/config.json").contains("lambda"));
  const Json first = Json::parse(lines_of(read("run/journal.jsonl")).front());
  EXPECT_EQ(first["event"], "start");
  EXPECT_EQ(first["lambda"], nets[0]["lambda"]);
  EXPECT_EQ(first["device"], summary["device"]);
}

TEST_F(Front, PickAndBudgetsChooseTheModel) {
  const Arguments path{"--lambda", "0.1,0.01,0.001", "--seed", "1"};
  const Json best = train("best", path);
  const Json smallest = train("smallest", path + Arguments{"--pick", "smallest"});
  EXPECT_EQ(best["nets"], smallest["nets"]) << "the nets do not depend on it";
  EXPECT_LE(chosen(smallest)["parameters"], chosen(best)["parameters"]);
  EXPECT_LE(chosen(smallest)["validation_error"].get<double>(),
            chosen(best)["validation_error"].get<double>() + chosen(best)["standard_error"].get<double>());
  ok({"train", "--resume", "best", "--pick", "knee", "--quiet"});
  EXPECT_EQ(read_json("best/summary.json")["pick"]["rule"], "knee") << "the choice may be made anew";

  const std::size_t limit = chosen(best)["parameters"].get<std::size_t>() - 1;
  const Json tight = train("tight", path + Arguments{"--max-parameters", std::to_string(limit)});
  EXPECT_LE(chosen(tight)["parameters"], limit);
  for (const Json& net : tight["nets"]) {
    if (net["parameters"] > limit) continue;
    EXPECT_GE(net["validation_error"], chosen(tight)["validation_error"]);
  }
  ASSERT_GT(tight["nets"].size(), 3U) << "made for the budget";
  EXPECT_EQ(tight["nets"][3]["kind"], "fixed");
  EXPECT_THAT(ok({"inspect", "tight"}).out, HasSubstr("fixed"));
  EXPECT_EQ(tight["pick"]["max_parameters"], limit);
}

TEST_F(Front, ABudgetMayBeForAHeader) {
  const Json summary = train("run", {"--lambda", "0.01", "--max-bytes", "150", "--for", "c-int8"});
  EXPECT_EQ(summary["pick"]["for"], "c-int8");
  EXPECT_LE(chosen(summary)["flash"], 150);
  EXPECT_EQ(ok({"inspect", "run/model.coppice", "--json"}).json()["c_header"]["int8_flash"],
            chosen(summary)["flash"]);
  const Outcome outcome =
      call(Arguments{"train", "d.csv", "-o", "none", "--lambda", "0.01", "--max-bytes", "9", "--for", "c"} +
           quick);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("no net fits --max-bytes 9 --for c: the smallest, net "));
  EXPECT_THAT(ok({"inspect", "none"}).out, HasSubstr("--for c"));
}

TEST_F(Front, ABudgetThatNothingFitsIsSaidAndNothingIsLost) {
  const Outcome outcome =
      call(Arguments{"train", "d.csv", "-o", "run", "--lambda", "0.01", "--max-bytes", "100"} + quick);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors,
              AllOf(HasSubstr("no net fits --max-bytes 100"), HasSubstr("the smallest, net 1, has"),
                    HasSubstr("it has one unit per layer already")));
  EXPECT_TRUE(exists("run/net-0.coppice"));
  EXPECT_FALSE(exists("run/model.coppice"));
  EXPECT_TRUE(read_json("run/summary.json")["chosen"].is_null());
  EXPECT_THAT(ok({"inspect", "run"}).out, HasSubstr("no net fits"));
}

TEST_F(Front, SeveralSeedsGiveMedianAndRange) {
  ok({"train", "d.csv", "-o", "run", "--lambda", "0.01", "--seeds", "3", "--max-epochs", "3"});
  const Json point = read_json("run/summary.json")["points"][0];
  EXPECT_EQ(point["nets"].size(), 3U);
  EXPECT_LE(point["validation_error"]["low"], point["validation_error"]["median"]);
  EXPECT_THAT(ok({"inspect", "run"}).out, HasSubstr("median (range)"));
}

TEST_F(Front, ARunInterruptedInALaterRoundResumesToTheSameBytes) {
  const Arguments flags{"--path", "2", "--seed", "4"};
  const Json whole = train("whole", flags);
  ASSERT_GT(whole["nets"].size(), 2U) << "this path goes on after its first round";
  Started started(folder_,
                  Arguments{"train", "d.csv", "-o", "cut", "--checkpoint-every", "1"} + quick + flags);
  while (!started.ended() && !exists("cut/checkpoints/net-2.state"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  started.send(SIGTERM);
  started.wait();
  ok({"train", "--resume", "cut", "--quiet"});
  for (const Json& net : whole["nets"]) {
    const std::string model = net["model"];
    EXPECT_EQ(read("whole/" + model), read("cut/" + model)) << model;
  }
  EXPECT_EQ(whole["nets"], read_json("cut/summary.json")["nets"]);
}

TEST_F(Front, AWarmStartBeginsAsTheModel) {
  train("first", {"--lambda", "0.003"});
  ok({"train", "d.csv", "--warm-start", "first/model.coppice", "--lambda", "0.003", "--max-steps", "0",
      "--keep", "last", "-o", "same", "--quiet"});
  const Json before = ok({"evaluate", "first/model.coppice", "d.csv", "--json"}).json();
  const Json after = ok({"evaluate", "same/model.coppice", "d.csv", "--json"}).json();
  EXPECT_EQ(before["error"], after["error"]);
  EXPECT_EQ(before["confusion"], after["confusion"]);

  write("new.csv", ring_csv(500, 9));
  ok(Arguments{"train", "new.csv", "--warm-start", "first/model.coppice", "--lambda", "0.003", "-o", "on"} +
     quick);
  const Json start = Json::parse(lines_of(read("on/journal.jsonl")).front());
  EXPECT_EQ(start["hidden_units"], read_json("first/summary.json")["nets"][0]["hidden_units"]);
  EXPECT_LE(ok({"evaluate", "on/model.coppice", "new.csv", "--json"}).json()["error"], 0.1);
}

TEST_F(Front, WarmStartsThatCannotWorkAreRefused) {
  ok({"train", "d.csv", "--lambda", "0.01", "--max-steps", "3", "-o", "first", "--quiet"});
  const Arguments warm{"train", "d.csv", "-o", "run", "--warm-start", "first/model.coppice"};
  refused({"train", "d.csv", "-o", "run", "--warm-start", "none.coppice"}, {"none.coppice"});
  refused({"train", "d.csv", "-o", "run", "--warm-start", "d.csv"}, {"d.csv"});
  refused(warm + Arguments{"--hidden-layers", "4"}, {"--hidden-layers", "2 hidden layers"});
  refused(warm + Arguments{"--activation", "tanh"}, {"--activation", "relu"});
  refused(warm + Arguments{"--ignore", "x0"}, {"--ignore"});
  refused(warm + Arguments{"--target", "x0"}, {"--target", "label"});
  write("other.csv", "x0,x1,label\n1,2,0\n2,1,1\n3,1,maybe\n");
  refused({"train", "other.csv", "-o", "run", "--warm-start", "first/model.coppice"},
          {"other.csv", "\"maybe\"", "--warm-start"});
  write("lacking.csv", "x0,label\n1,0\n2,1\n");
  refused({"train", "lacking.csv", "-o", "run", "--warm-start", "first/model.coppice"},
          {"lacking.csv", "\"x1\""});
  refused({"train", "d.csv", "-o", "run", "--path", "3", "--lambda", "1"}, {"--path", "--lambda"});
}

}  // namespace
}  // namespace coppice::test
