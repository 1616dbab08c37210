#include "tests/cli/program.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Other optimizers, normalisations and networks of fixed size.
class Methods : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("d.csv", ring_csv(1200));
  }
  Arguments train(const std::string& run, const Arguments& more) const {
    return Arguments{"train",           "d.csv", "-o",      run,        "--patience", "10",
                     "--fine-patience", "2",     "--quiet", "--device", "cpu"} +
           more;
  }
};

TEST_F(Methods, ANetOfFixedSizeIsTrainedUsedAndContinued) {
  const Arguments flags{"--fixed-size", "9,4",    "--optimizer",      "adam",    "--step",
                        "0.01",         "--norm", "batchnorm-affine", "--seeds", "2"};
  ok(train("a", flags + Arguments{"--threads", "1"}));
  ok(train("b", flags + Arguments{"--threads", "3", "--time-limit", "0.05"}));
  ok({"train", "--resume", "b", "--time-limit", "1000", "--quiet"});
  const Json summary = read_json("a/summary.json");
  ASSERT_EQ(summary["nets"].size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& net = summary["nets"][i];
    EXPECT_EQ(net["hidden_units"], Json({9, 4}));
    EXPECT_EQ(net["lambda"], 0);
    EXPECT_EQ(net["phase"], "done");
    EXPECT_LT(net["validation_error"], 0.12);
    EXPECT_EQ(net["parameters"], 2 * 9 + 9 * 4 + 4 * 2 + 2 * (9 + 4));
    const std::string model = fmt::format("/net-{}.coppice", i);
    EXPECT_TRUE(read("a" + model) == read("b" + model)) << "threads and a stop must not matter";
  }
  const Json model = ok({"inspect", "a/model.coppice", "--json", "--weights"}).json();
  EXPECT_EQ(model["norm"], "batchnorm-affine");
  EXPECT_EQ(model["layers"][0]["scale"].size(), 9U);
  EXPECT_FALSE(model["layers"][2].contains("scale"));
  const Json evaluated = ok({"evaluate", "a/model.coppice", "d.csv", "--json"}).json();
  EXPECT_LT(evaluated["error"], 0.12);
  refused({"train", "d.csv", "-o", "w", "--warm-start", "a/model.coppice", "--lambda", "1e-3", "--quiet"},
          {"--warm-start: the model has norm batchnorm-affine", "capnorm"});
}

TEST_F(Methods, TheConfigurationOfANetOfFixedSizeCanBeUsedAgain) {
  ok(train("a", {"--fixed-size", "9,4,3", "--optimizer", "sgd", "--max-epochs", "3"}));
  ok({"train", "d.csv", "--config", "a/config.json", "-o", "b", "--quiet"});
  EXPECT_TRUE(read("a/model.coppice") == read("b/model.coppice"));
}

TEST_F(Methods, TheJournalCallsEachStepByItsName) {
  const auto keys = [&](const std::string& run, const Arguments& flags) {
    ok(train(run, flags + Arguments{"--lambda", "1e-3", "--max-epochs", "1"}));
    std::vector<std::string> named;
    for (const std::string& line : lines_of(read(run + "/journal.jsonl"))) {
      for (const char* key : {"angle", "angular_step", "step"})
        if (Json::parse(line).contains(key)) named.emplace_back(key);
    }
    return named;
  };
  EXPECT_THAT(keys("a", {}), ElementsAre("angle"));
  EXPECT_THAT(keys("b", {"--angular-step", "3"}), ElementsAre("angular_step"));
  EXPECT_THAT(keys("c", {"--optimizer", "nesterov"}), ElementsAre("step"));
}

TEST_F(Methods, AdaradMAndNesterovFindASizeToo) {
  for (const std::string optimizer : {"adarad-m", "nesterov"}) {
    ok(train(optimizer, {"--optimizer", optimizer, "--lambda", "1e-3", "--max-epochs", "30"}));
    const Json net = read_json(optimizer + "/summary.json")["nets"][0];
    EXPECT_LT(net["validation_error"], 0.4) << optimizer;
    EXPECT_EQ(ok({"inspect", optimizer + "/model.coppice", "--json"}).json()["origin"]["optimizer"],
              optimizer);
  }
}

TEST_F(Methods, AdamAndRmspropShrinkNetsOfFixedSize) {
  for (const std::string optimizer : {"adam", "rmsprop"}) {
    const Arguments flags{"--fixed-size", "40", "--optimizer", optimizer, "--max-epochs", "30"};
    ok(train(optimizer, flags + Arguments{"--lambda", "100"}));
    ok(train(optimizer + "-free", flags));
    const auto units = [&](const std::string& run) {
      return read_json(run + "/summary.json")["nets"][0]["hidden_units"][0].get<int>();
    };
    EXPECT_LT(units(optimizer), 40);
    EXPECT_EQ(units(optimizer + "-free"), 40);
  }
}

TEST_F(Methods, EveryRegularizerFindsASize) {
  for (const std::string fan : {"fan-in", "fan-out"}) {
    for (const std::string power : {"1", "2"}) {
      const std::string run = fan + power;
      ok(train(run, {"--optimizer", "momentum", "--regularizer", fan, "--penalty-power", power, "--lambda",
                     "1e-3", "--step", "20", "--layer-lambdas", "1,1,0.5", "--max-epochs", "40"}));
      EXPECT_LT(read_json(run + "/summary.json")["nets"][0]["validation_error"], 0.4) << run;
    }
  }
}

TEST_F(Methods, WhatMakesNoSenseIsRefused) {
  refused(train("r", {"--regularizer", "fan-out"}), {"--regularizer fan-out", "adarad", "nesterov"});
  refused(train("r", {"--penalty-power", "1"}), {"--penalty-power 1", "adarad"});
  refused(train("r", {"--layer-lambdas", "1,2"}), {"--layer-lambdas", "3 factors"});
  refused(train("r", {"--optimizer", "adam"}), {"--optimizer adam", "shrinkage", "--fixed-size"});
  refused(train("r", {"--norm", "batchnorm"}), {"--norm batchnorm", "--fixed-size"});
  refused(train("r", {"--fixed-size", "5", "--optimizer", "sgd", "--grow-epochs", "3"}),
          {"--grow-epochs", "--fixed-size"});
  for (const std::string flag : {"start-units", "add-units", "additions-per-epoch", "hidden-layers", "path",
                                 "unit-lifetime", "settle-epochs"}) {
    refused(train("r", {"--fixed-size", "5,4", "--optimizer", "sgd", "--" + flag, "3"}),
            {"--" + flag, "--fixed-size", "leave"});
  }
  for (const std::string flag : {"--angle", "--angular-step"}) {
    refused(train("r", {"--optimizer", "sgd", "--lambda", "0.01", flag, "1"}), {flag, "sgd", "--step"});
  }
  refused(train("r", {"--fixed-size", "5"}), {"--fixed-size", "--radial-step"});
  refused(train("r", {"--step", "1"}), {"--step", "--angular-step"});
  const Outcome small = call(
      train("s", {"--fixed-size", "5", "--optimizer", "sgd", "--max-epochs", "1", "--max-parameters", "9"}));
  EXPECT_EQ(small.code, 2);
  EXPECT_THAT(small.errors, HasSubstr("a smaller --fixed-size"));
  refused(train("r", {"--fixed-size", "5,x", "--optimizer", "sgd"}), {"--fixed-size", "\"x\""});
}

}  // namespace
}  // namespace coppice::test
