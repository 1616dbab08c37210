// Command lines and configurations that cannot be followed:
// exit code 2, one sentence, nothing created, changed or removed.
#include "tests/cli/program.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class BadFlags : public Program {};

TEST_F(BadFlags, FlagsOutOfRange) {
  write("d.csv", ring_csv(40));
  const auto flag = [&](const std::string& name, const std::string& value,
                        const std::vector<std::string>& parts = {}) {
    std::vector<std::string> all{"--" + name};
    all.insert(all.end(), parts.begin(), parts.end());
    refused({"train", "d.csv", "-o", "run", "--" + name, value}, all);
  };
  for (const char* value : {"0", "-1", "abc", "nan", "inf", "1e-3,0", "-0.5", ","})
    flag("lambda", value, {"above 0"});
  flag("lambda", "1e-3,0.001", {"twice"});
  for (const char* value : {"0", "-1", "1.5", "x", "99999"}) flag("threads", value, {"whole number"});
  for (const char* value : {"-1", "0.5", "x", "1e30"}) flag("seed", value, {"whole number"});
  for (const char* value : {"0", "1.5", "1000000"}) flag("hidden-layers", value, {"whole number"});
  for (const char* value : {"0", "1e12"}) flag("start-units", value, {"whole number"});
  for (const char* value : {"0", "1"}) flag("batch-size", value, {"at least 2"});
  for (const char* name : {"seeds", "max-epochs", "checkpoint-every"}) flag(name, "0", {"at least 1"});
  flag("max-steps", "-1", {"at least 0"});
  for (const char* name : {"angular-step", "unit-lifetime", "radial-step", "epsilon", "patience",
                           "fine-patience", "time-limit", "additions-per-epoch", "mixing-rate"}) {
    flag(name, "0", {"above 0"});
    flag(name, "-1", {"above 0"});
    flag(name, "nan");
    flag(name, "inf");
  }
  flag("mixing-rate", "1.5", {"at most 1"});
  flag("add-units", "-1", {"at least 0"});
  for (const char* name : {"validation", "test"}) {
    for (const char* value : {"0", "1", "1.5", "-0.1", "nan"}) flag(name, value, {"between 0 and 1"});
    refused({"train", "d.csv", "-o", "run", std::string("--") + name, "nowhere.csv"},
            {"nowhere.csv", "No such file"});
  }
}

TEST_F(BadFlags, WordsThatAreNone) {
  write("d.csv", ring_csv(40));
  const auto refuse = [&](const std::string& name, const std::string& value,
                          const std::vector<std::string>& parts) {
    refused({"train", "d.csv", "-o", "run", "--" + name, value}, parts);
  };
  refuse("activation", "sigmoid", {"--activation", "s(0) = 0", "leaky-relu"});
  refuse("activation", "softplus", {"s(0) = 0"});
  refuse("task", "clustering", {"--task", "auto, classification, regression"});
  refuse("scale", "log", {"--scale", "auto, column, standard, global, none"});
  refuse("keep", "all", {"--keep", "best, last"});
  refuse("output-capnorm", "yes", {"--output-capnorm", "on or off"});
  refuse("prior-offset", "1", {"--prior-offset", "on or off"});
  refuse("optimizer", "lbfgs", {"--optimizer", "adarad", "nesterov"});
}

TEST_F(BadFlags, CommandLinesThatSayNothing) {
  write("d.csv", ring_csv(40));
  refused({}, {"train, search, predict, evaluate, explain, inspect, export, watch, report, generate, merge"});
  refused({"trian", "d.csv"}, {"\"trian\"", "did you mean train?"});
  refused({"train"}, {"data file"});
  refused({"train", "d.csv", "--lamda", "1"}, {"--lamda", "did you mean --lambda?"});
  refused({"train", "d.csv", "--lambda"}, {"--lambda needs a value"});
  refused({"train", "d.csv", "more.csv"}, {"\"more.csv\""});
  refused({"train", "d.csv", "--seed", "1", "--seed", "2"}, {"--seed", "one value"});
  refused({"train", "d.csv", "-z"}, {"-z"});
  refused({"predict"}, {"MODEL is missing"});
  refused({"predict", "model"}, {"DATA is missing"});
  refused({"evaluate", "model", "d.csv", "--jsn"}, {"--jsn", "--json"});
  refused({"inspect"}, {"is missing"});
  refused({"generate", "chess", "-o", "x"}, {"chess", "poker"});
  refused({"generate", "poker"}, {"--out is missing"});
  refused({"generate", "poker", "--rows", "0", "-o", "x"}, {"--rows"});
  refused({"generate", "poker", "--rows", "many", "-o", "x"}, {"--rows", "many"});
  for (const char* seed : {"-1", "0.5", "x", "1e30"})
    refused({"generate", "poker", "--rows", "5", "--seed", seed, "-o", "x"}, {"--seed", "whole number"});
  refused({"generate", "poker", "--rows", "5", "-o", "no/such/folder/x"}, {"no/such/folder/x"});
}

TEST_F(BadFlags, WordsBeforeTheirCommand) {
  write("d.csv", ring_csv(40));
  refused({"--threads", "2", "train", "d.csv"},
          {"--threads: stands before the command", "coppice train ... --threads"});
  refused({"search", "--effort", "quick", "random", "d.csv"},
          {"--effort: stands before the command", "coppice search random ... --effort"});
  refused({"search", "--effort=quick", "d.csv"}, {"--effort:", "grid, random"});
  refused({"search", "d.csv", "random"},
          {"\"d.csv\": stands before the command", "coppice search random d.csv"});
  refused({"search", "d.csv"}, {"\"d.csv\": there is no such command"});
  refused({"search", "randm", "d.csv"}, {"did you mean random?"});
}

TEST_F(BadFlags, OnlyFlagsThatAreNearAreProposed) {
  write("d.csv", ring_csv(40));
  const auto proposes_nothing = [&](const Arguments& arguments) {
    refused(arguments, {"there is no such flag; see"});
  };
  proposes_nothing({"train", "d.csv", "--bogus", "1"});
  proposes_nothing({"evaluate", "run", "d.csv", "-o", "x"});
  refused({"train", "d.csv", "-lambda", "1"}, {"-lambda", "did you mean --lambda?"});
}

TEST_F(BadFlags, OneWordTooManyNamesWhatWasTaken) {
  write("d.csv", ring_csv(40));
  refused({"train", "--lambda", "0.1", "0.2", "d.csv"},
          {"\"d.csv\"", "\"0.2\" was taken as DATA", "lists as a,b"});
  refused({"predict", "my", "run", "d.csv"},
          {"\"d.csv\"", "\"my\" was taken as MODEL, \"run\" was taken as DATA", "quotes"});
}

TEST_F(BadFlags, EmptyValues) {
  write("d.csv", ring_csv(40));
  for (const char* name : {"out", "warm-start", "config", "resume", "ignore", "lambda", "test"})
    refused({"train", "d.csv", std::string("--") + name, ""}, {std::string("--") + name + " is empty"});
  refused({"train", "d.csv", "-o", ""}, {"--out is empty", "variable"});
  refused({"predict", "model", "d.csv", "-o", ""}, {"--out is empty"});
  refused({"search", "random", "d.csv", "-o", ""}, {"--out is empty", "coppice search random --help"});
  refused({"inspect", ""}, {"MODEL|RUN is empty", "name a model"});
  refused({"predict", "", "d.csv"}, {"MODEL is empty"});
  refused({"watch", ""}, {"RUN is empty"});
  refused({"train", "d.csv", "-o", "--quiet"}, {"--out needs a value", "--quiet is a flag"});
  refused({"train", "d.csv", "--out=", "--quiet"}, {"--out needs a value"});
}

TEST_F(BadFlags, ShortFlagsTakeNoEqualsSign) {
  write("d.csv", ring_csv(40));
  refused({"train", "d.csv", "-o=x9"}, {"-o =x9", "write -o x9"});
  refused({"generate", "poker", "--rows", "5", "-o=x9"}, {"write -o x9"});
  ok({"generate", "poker", "--rows", "5", "--out=x9"});
  ok({"generate", "poker", "--rows", "5", "-o", "./=x9"});
  EXPECT_TRUE(exists("x9") && exists("=x9"));
}

TEST_F(BadFlags, HelpAndVersionAreNoMistakes) {
  EXPECT_THAT(ok({"--help"}).out, AllOf(HasSubstr("train"), HasSubstr("predict"), HasSubstr("generate")));
  const std::string help = ok({"train", "--help"}).out;
  for (const char* name : {"target",
                           "ignore",
                           "id",
                           "categorical",
                           "task",
                           "scale",
                           "encode",
                           "target-transform",
                           "validation",
                           "test",
                           "seed",
                           "hidden-layers",
                           "start-units",
                           "fixed-size",
                           "norm",
                           "activation",
                           "output-capnorm",
                           "capped-batchnorm",
                           "kinks",
                           "kink-step",
                           "output-scale-step",
                           "capnorm-rows",
                           "prior-offset",
                           "lambda",
                           "regularizer",
                           "penalty-power",
                           "layer-lambdas",
                           "seeds",
                           "optimizer",
                           "effort",
                           "angle",
                           "step",
                           "momentum-rate",
                           "angular-step",
                           "unit-lifetime",
                           "radial-step",
                           "add-units",
                           "additions-per-epoch",
                           "grow-epochs",
                           "mixing-rate",
                           "epsilon",
                           "trust-region",
                           "relative-epsilon",
                           "relative-shrinkage",
                           "radial-rule",
                           "peak-half-life",
                           "label-smoothing",
                           "batch-size",
                           "patience",
                           "fine-patience",
                           "max-epochs",
                           "max-steps",
                           "time-limit",
                           "keep",
                           "threads",
                           "memory",
                           "checkpoint-every",
                           "resume",
                           "quiet",
                           "json",
                           "config"}) {
    EXPECT_THAT(help, HasSubstr(fmt::format("--{} ", name)));
  }
  EXPECT_THAT(ok({"--version"}).out, StartsWith("coppice "));
}

TEST_F(BadFlags, Configurations) {
  write("d.csv", ring_csv(40));
  const auto refuse = [&](std::string_view text, const std::vector<std::string>& parts) {
    write("c.json", text);
    refused({"train", "d.csv", "-o", "run", "--config", "c.json"}, parts);
  };
  refuse("{\"lamda\": 1}", {"c.json", "\"lamda\"", "did you mean \"lambda\"?"});
  refuse("{\"lambda\": -1}", {"--lambda", "above 0"});
  refuse("{\"lambda\": \"much\"}", {"--lambda", "\"much\""});
  refuse("{\"task\": [\"auto\", \"auto\"]}", {"--task", "one value"});
  refuse("{\"lambda\": ", {"c.json", "not valid JSON"});
  refuse("[1]", {"c.json", "JSON object"});
  refuse("", {"c.json", "empty"});
  refused({"train", "d.csv", "-o", "run", "--config", "none.json"}, {"none.json"});
}

TEST_F(BadFlags, AMistakeInAConfigurationNamesTheFile) {
  write("d.csv", ring_csv(50));
  write("c.json", R"({"patience": "ten"})");
  refused({"train", "d.csv", "--config", "c.json", "-o", "run"}, {"c.json", "--patience", "ten"});
}

TEST_F(BadFlags, ThePapersExperimentsAreElsewhere) {
  for (const Arguments& more :
       {Arguments{}, Arguments{"figure3", "--scale", "paper"}, Arguments{"--help"}, Arguments{"all"}})
    refused(Arguments{"reproduce"} + more, {"./run reproduce NAME"});
  EXPECT_THAT(ok({"--help"}).out, ::testing::Not(HasSubstr("reproduce")));
}

}  // namespace
}  // namespace coppice::test
