// Every case of "Bad input" in the contract: exit code 2, one sentence, nothing created, changed or removed.
#include "tests/cli/program.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class BadInput : public Program {
 protected:
  /// Training on such a file is refused.
  void refused_data(const std::string& name, std::string_view bytes, const std::vector<std::string>& parts,
                    const Arguments& flags = {}) const {
    write(name, bytes);
    std::vector<std::string> all{name};
    all.insert(all.end(), parts.begin(), parts.end());
    refused(Arguments{"train", name, "-o", "new/run"} + flags, all);
  }

  /// A small finished run.
  void make_run(const std::string& run = "run") const {
    write("good.csv", ring_csv(60));
    ok({"train", "good.csv", "--max-steps", "2", "-o", run, "--quiet"});
  }
};

TEST_F(BadInput, FilesThatCannotBeRead) {
  refused({"train", "nothing.csv", "-o", "run"}, {"nothing.csv", "No such file"});
  refused_data("empty.csv", "", {"empty"});
  refused_data("blank.csv", "\n\n  \n", {});
  refused_data("header.csv", "a,b\n", {"no row of data"});
  std::filesystem::create_directories(path("folder"));
  refused({"train", "folder", "-o", "run"}, {"folder", "directory"});
  refused_data("binary.csv", std::string_view("a,b\n1,\0\n", 8), {"line 2", "zero byte"});
  refused({"train", "", "-o", "run"}, {"data file"});
}

TEST_F(BadInput, RowsThatAreNotWellFormed) {
  refused_data("ragged.csv", "a,b,y\n1,2,x\n1,2\n3,4,y\n", {"line 3", "2", "3"}, {"--target", "y"});
  refused_data("quote.csv", "a,y\n\"1,x\n2,y\n3,z\n", {"line 2", "quote"}, {"--target", "y"});
  refused_data("twice.csv", "a,b,a\n1,2,3\n", {"line 1", "\"a\"", "columns 1 and 3"}, {"--target", "b"});
  refused_data("index.libsvm", "1 1:2\n-1 0:3\n", {"line 2", "index 0", "start at 1"});
  refused_data("value.arff", "@relation r\n@attribute a {x,y}\n@attribute class {p,q}\n@data\nx,p\nz,q\n",
               {"line 6", "column 1 (\"a\")", "\"z\"", "declared"});
  refused_data("number.arff",
               "@relation r\n@attribute a numeric\n@attribute class {p,q}\n@data\n1,p\nbig,q\n",
               {"line 6", "column 1 (\"a\")", "\"big\""});
}

TEST_F(BadInput, ValuesThatCannotBeUsed) {
  refused_data("stray.csv", "age,y\n1,a\n2,b\nold,a\n4,b\n",
               {"line 4, column 1 (\"age\")", "\"old\"", "--categorical age", "NA"}, {"--target", "y"});
  refused_data("infinite.csv", "age,y\n1,a\ninf,b\n3,a\n", {"line 3, column 1 (\"age\")", "infinite"},
               {"--target", "y"});
  refused_data("huge.csv", "age,y\n1,a\n1e39,b\n3,a\n", {"line 3, column 1 (\"age\")", "too large"},
               {"--target", "y"});
  refused_data("missing.csv", "age,y\n1,a\n2,\n3,b\n", {"line 3, column 2 (\"y\")", "missing"},
               {"--target", "y"});
  refused_data("nan.csv", "age,y\n1,1.5\n2,NaN\n3,2.5\n4,7.5\n5,8\n6,1\n",
               {"line 3, column 2 (\"y\")", "missing"}, {"--target", "y", "--task", "regression"});
  refused_data("text-target.csv", "age,y\n1,1.5\n2,blue\n3,2.5\n", {"line 3, column 2 (\"y\")", "\"blue\""},
               {"--target", "y", "--task", "regression"});
}

TEST_F(BadInput, TargetsThatCannotBeLearned) {
  refused_data("d.csv", "height,weight,colour\n1,2,a\n2,3,b\n",
               {"--target", "height, weight, colour", "\"weight\""}, {"--target", "wieght"});
  refused_data("d.csv", "height,weight,colour\n1,2,a\n2,3,b\n", {"--target", "height, weight, colour"});
  refused_data("single.csv", "x,y\n1,a\n2,a\n3,a\n", {"\"y\"", "single class", "\"a\""}, {"--target", "y"});
  refused_data("constant.csv", "x,y\n1,5\n2,5\n3,5\n", {"\"y\""}, {"--target", "y", "--task", "regression"});
  refused_data("one.csv", "x,y\n1,a\n", {"1 row", "at least two"}, {"--target", "y"});
  refused_data("empty-target.csv", "x,y\n1,\n2,NA\n", {"\"y\"", "no values"}, {"--target", "y"});
  refused_data("flat.csv", "x,z,y\n1,7,a\n1,7,b\n1,7,a\n", {"no input column varies"}, {"--target", "y"});
  refused_data("alone.csv", "y\na\nb\n", {"no input columns"}, {"--target", "y"});
}

TEST_F(BadInput, ColumnsThatContradictEachOther) {
  const std::string table = "a,b,y\n1,2,x\n2,3,y\n3,4,x\n";
  refused_data("d.csv", table, {"--ignore", "target", "\"y\""}, {"--target", "y", "--ignore", "y"});
  refused_data("d.csv", table, {"--id", "target", "\"y\""}, {"--target", "y", "--id", "y"});
  refused_data("d.csv", table, {"--ignore", "\"aa\"", "did you mean \"a\""},
               {"--target", "y", "--ignore", "aa"});
  refused_data("d.csv", table, {"--id", "\"c\""}, {"--target", "y", "--id", "b,c"});
  refused_data("d.csv", table, {"--categorical", "\"c\""}, {"--target", "y", "--categorical", "c"});
  refused_data("d.csv", table, {"no input columns"}, {"--target", "y", "--ignore", "a,b"});
}

TEST_F(BadInput, BrokenImages) {
  const std::string images =
      std::string("\0\0\x08\x03\0\0\0\x04\0\0\0\x02\0\0\0\x02", 16) + std::string(16, '\x50');
  const std::string labels = std::string("\0\0\x08\x01\0\0\0\x04", 8) + std::string("\0\1\0\1", 4);
  write("x-labels-idx1-ubyte", labels);
  refused_data("x-images-idx3-ubyte", images.substr(0, 30), {});
  refused_data("x-images-idx3-ubyte", images.substr(0, 9), {});
  refused_data("x-images-idx3-ubyte",
               std::string("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16), {});
  write("x-images-idx3-ubyte", images);
  write("x-labels-idx1-ubyte", labels.substr(0, 10));
  refused({"train", "x-images-idx3-ubyte", "-o", "run"}, {"x-labels-idx1-ubyte"});
  std::filesystem::remove(path("x-labels-idx1-ubyte"));
  refused({"train", "x-images-idx3-ubyte", "-o", "run"}, {"x-images-idx3-ubyte"});
}

TEST_F(BadInput, FlagsOutOfRange) {
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

TEST_F(BadInput, WordsThatAreNone) {
  write("d.csv", ring_csv(40));
  const auto refuse = [&](const std::string& name, const std::string& value,
                          const std::vector<std::string>& parts) {
    refused({"train", "d.csv", "-o", "run", "--" + name, value}, parts);
  };
  refuse("activation", "sigmoid", {"--activation", "s(0) = 0", "leaky-relu"});
  refuse("activation", "softplus", {"s(0) = 0"});
  refuse("task", "clustering", {"--task", "auto, classification, regression"});
  refuse("scale", "log", {"--scale", "auto, column, global, none"});
  refuse("keep", "all", {"--keep", "best, last"});
  refuse("output-capnorm", "yes", {"--output-capnorm", "on or off"});
  refuse("prior-offset", "1", {"--prior-offset", "on or off"});
  refuse("optimizer", "lbfgs", {"--optimizer", "adarad", "nesterov"});
}

TEST_F(BadInput, CommandLinesThatSayNothing) {
  write("d.csv", ring_csv(40));
  refused({}, {"train, search, predict, evaluate, inspect, watch, report, generate"});
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
  refused({"generate", "poker", "--rows", "5", "-o", "no/such/folder/x"}, {"no/such/folder/x"});
}

TEST_F(BadInput, HelpAndVersionAreNoMistakes) {
  EXPECT_THAT(ok({"--help"}).out, AllOf(HasSubstr("train"), HasSubstr("predict"), HasSubstr("generate")));
  const std::string help = ok({"train", "--help"}).out;
  for (const char* name : {"target",
                           "ignore",
                           "id",
                           "categorical",
                           "task",
                           "scale",
                           "validation",
                           "test",
                           "seed",
                           "hidden-layers",
                           "start-units",
                           "fixed-size",
                           "norm",
                           "activation",
                           "output-capnorm",
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
                           "batch-size",
                           "patience",
                           "fine-patience",
                           "max-epochs",
                           "max-steps",
                           "time-limit",
                           "keep",
                           "threads",
                           "checkpoint-every",
                           "resume",
                           "quiet",
                           "json",
                           "config"}) {
    EXPECT_THAT(help, HasSubstr(fmt::format("--{} ", name)));
  }
  EXPECT_THAT(ok({"--version"}).out, StartsWith("coppice "));
}

TEST_F(BadInput, PlacesWhereARunCannotBe) {
  make_run();
  refused({"train", "good.csv", "-o", "run"}, {"run", "already holds a run", "--resume"});
  refused({"train", "good.csv", "-o", "good.csv"}, {"good.csv", "is a file"});
  refused({"train", "good.csv", "-o", "good.csv/run"}, {"good.csv/run"});
  refused({"train", "good.csv", "-o", "/proc/coppice/run"}, {"/proc/coppice/run", "cannot create"});
  std::filesystem::remove(path("run/config.json"));
  refused({"train", "good.csv", "-o", "run"}, {"already holds a run"});
  for (const char* name : {"summary.json", "journal.jsonl"})
    std::filesystem::remove(path(std::string("run/") + name));
  refused({"train", "good.csv", "-o", "run"}, {"already holds a run"});
}

TEST_F(BadInput, Configurations) {
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

TEST_F(BadInput, ModelFilesThatAreNone) {
  make_run();
  const std::string bytes = read("run/model.coppice");
  const auto refuse = [&](std::string_view model, const std::vector<std::string>& parts) {
    write("m.coppice", model);
    std::vector<std::string> all{"m.coppice"};
    all.insert(all.end(), parts.begin(), parts.end());
    refused({"predict", "m.coppice", "good.csv"}, all);
    refused({"evaluate", "m.coppice", "good.csv"}, all);
    refused({"inspect", "m.coppice"}, all);
  };
  refuse(bytes.substr(0, bytes.size() - 1), {"truncated or altered"});
  refuse(bytes.substr(0, 13), {"truncated or altered"});
  std::string flipped = bytes;
  flipped[bytes.size() - 3] = static_cast<char>(flipped[bytes.size() - 3] ^ 4);
  refuse(flipped, {"truncated or altered"});
  std::string newer = bytes;
  newer[8] = 3;
  refuse(newer, {"version 3", "newer"});
  refuse("x0,x1,label\n1,2,3\n", {"not a coppice model"});
  refuse("", {"empty"});
  refused({"predict", "nothing", "good.csv"}, {"nothing"});
  refused({"inspect", "nothing"}, {"nothing"});
  std::filesystem::create_directories(path("hollow"));
  for (const Arguments& call : {Arguments{"inspect", "hollow"}, Arguments{"predict", "hollow", "good.csv"},
                                Arguments{"evaluate", "hollow", "good.csv"}})
    refused(call, {"hollow", "neither a run nor a model"});
}

TEST_F(BadInput, AFailedPredictionKeepsTheOldFile) {
  make_run();
  write("out.csv", "precious\n");
  write("bad.csv", "x0,x1\n1,2\n1,what\n");
  refused({"predict", "run/model.coppice", "bad.csv", "-o", "out.csv"},
          {"bad.csv", "line 3, column 2 (\"x1\")", "\"what\""});
  write("few.csv", "x0\n1\n");
  refused({"predict", "run/model.coppice", "few.csv", "-o", "out.csv"}, {"\"x1\""});
  write("infinite.csv", "x0,x1\n1,-inf\n");
  refused({"predict", "run/model.coppice", "infinite.csv", "-o", "out.csv"},
          {"infinite.csv", "line 2, column 2"});
  refused({"predict", "run/model.coppice", "good.csv", "-o", "no/such/folder"}, {"no/such/folder"});
  refused({"predict", "run/model.coppice", "good.csv", "--threads", "0"}, {"--threads", "at least 1"});
  refused({"evaluate", "run/model.coppice", "good.csv", "--threads", "x"}, {"--threads"});
  refused({"evaluate", "run/model.coppice", "few.csv"}, {"\"x1\""});
  write("no-target.csv", "x0,x1\n1,2\n");
  refused({"evaluate", "run/model.coppice", "no-target.csv"}, {"no-target.csv", "target", "\"label\""});
  write("blank-target.csv", "x0,x1,label\n1,2,1\n1,2,\n");
  refused({"evaluate", "run/model.coppice", "blank-target.csv"}, {"line 3, column 3 (\"label\")", "missing"});
  ok({"predict", "run/model.coppice", "good.csv", "-o", "out.csv"});
  EXPECT_THAT(read("out.csv"), StartsWith("prediction,"));
}

TEST_F(BadInput, WarningsAreNoErrors) {
  write("d.csv", "same,hole,x,y\n7,,1,a\n7,,2,b\n7,,3,a\n7,,4,b\n7,,5,a\n7,,6,b\n");
  write("t.csv", "same,hole,x,y\n7,,1,a\n7,,2,c\n");
  const Outcome trained =
      ok({"train", "d.csv", "--target", "y", "--test", "t.csv", "--max-steps", "2", "-o", "run", "--quiet"});
  const auto lines = lines_of(trained.errors);
  for (const std::string& line : lines) EXPECT_THAT(line, StartsWith("warning: "));
  EXPECT_THAT(trained.errors,
              AllOf(HasSubstr("same"), HasSubstr("hole"), HasSubstr("1 of 2 rows"), HasSubstr("\"c\"")));
  EXPECT_GE(read_json("run/summary.json")["nets"][0]["test_error"], 0.5)
      << "a class never seen counts as an error";
  const Outcome measured = ok({"evaluate", "run/model.coppice", "t.csv"});
  EXPECT_THAT(measured.errors, HasSubstr("warning: "));
  EXPECT_THAT(measured.out, HasSubstr("never seen in training"));
}

TEST_F(BadInput, VeryLongLinesAreReadOrRefusedButNeverCrash) {
  std::string wide = "y";
  for (int i = 0; i < 3000; ++i) wide += fmt::format(",column{}", i);
  for (int row = 0; row < 6; ++row) {
    wide += row % 2 == 0 ? "\na" : "\nb";
    for (int i = 0; i < 3000; ++i) wide += fmt::format(",{}", (row * i) % 17);
  }
  write("wide.csv", wide);
  ok({"train", "wide.csv", "--target", "y", "--max-steps", "1", "-o", "wide", "--quiet"});
  write("long.csv", "x,y\n" + std::string(1U << 20U, 'x') + ",1\n2,0\n");
  EXPECT_THAT(call({"train", "long.csv", "--target", "y", "--max-steps", "1", "-o", "long"}).code,
              ::testing::AnyOf(0, 2));
}

TEST_F(BadInput, PredictionsNeverOverwriteWhatTheyAreMadeFrom) {
  write("d.csv", ring_csv(50));
  ok({"train", "d.csv", "--max-steps", "1", "-o", "run", "--quiet"});
  refused({"predict", "run/model.coppice", "d.csv", "-o", "d.csv"}, {"-o d.csv", "overwrite"});
  refused({"predict", "run/model.coppice", "d.csv", "-o", "run/model.coppice"}, {"overwrite"});
}

TEST_F(BadInput, AMissingTargetIsNamedEvenIfOneClassIsLeft) {
  write("d.csv", "x,region\n1,EU\n2,NA\n3,EU\n");
  refused({"train", "d.csv", "--target", "region", "-o", "run"},
          {"d.csv", "line 3", "column 2", "missing", "NA"});
}

TEST_F(BadInput, AMistakeInAConfigurationNamesTheFile) {
  write("d.csv", ring_csv(50));
  write("c.json", R"({"patience": "ten"})");
  refused({"train", "d.csv", "--config", "c.json", "-o", "run"}, {"c.json", "--patience", "ten"});
}

}  // namespace
}  // namespace coppice::test
