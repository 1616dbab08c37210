// Runs, models and predictions in the wrong place or broken:
// exit code 2, one sentence, nothing created, changed or removed.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace coppice::test {
namespace {

using ::testing::StartsWith;

class BadPaths : public Program {
 protected:
  /// A small finished run.
  void make_run(const std::string& run = "run") const {
    write("good.csv", ring_csv(60));
    ok({"train", "good.csv", "--max-steps", "2", "-o", run, "--quiet"});
  }
};

TEST_F(BadPaths, PlacesWhereARunCannotBe) {
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

TEST_F(BadPaths, ModelFilesThatAreNone) {
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
  newer[8] = 9;
  refuse(newer, {"version 9", "newer"});
  refuse("x0,x1,label\n1,2,3\n", {"not a coppice model"});
  refuse("", {"empty"});
  refused({"predict", "nothing", "good.csv"}, {"nothing"});
  refused({"inspect", "nothing"}, {"nothing"});
  std::filesystem::create_directories(path("hollow"));
  for (const Arguments& call : {Arguments{"inspect", "hollow"}, Arguments{"predict", "hollow", "good.csv"},
                                Arguments{"evaluate", "hollow", "good.csv"}})
    refused(call, {"hollow", "neither a run nor a model"});
}

TEST_F(BadPaths, PipesAndDevicesAreNoModelsAndNoRuns) {
  make_run();
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const std::string model : {"pipe", "/dev/zero", "/dev/urandom"}) {
    refused({"inspect", model}, {model, "pipe or device"});
    refused({"predict", model, "good.csv"}, {model, "pipe or device"});
  }
  for (const char* name : {"config.json", "summary.json", "checkpoints/net-0.state"}) {
    std::filesystem::rename(path(std::string("run/") + name), path("kept"));
    ASSERT_EQ(::mkfifo(path(std::string("run/") + name).c_str(), 0600), 0);
    if (std::string(name) == "summary.json")
      refused({"inspect", "run"}, {name, "pipe or device"});
    else
      refused({"train", "--resume", "run", "--quiet"}, {name, "pipe or device"});
    std::filesystem::rename(path("kept"), path(std::string("run/") + name));
  }
}

TEST_F(BadPaths, AFileThatIsNoModelIsNotReadWhateverItsSize) {
  write("huge", "x");
  std::filesystem::resize_file(path("huge"), std::uintmax_t{1} << 36U);  // takes no room on disk
  const Outcome outcome = call({"inspect", "huge"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, ::testing::HasSubstr("not a coppice model"));
}

TEST_F(BadPaths, JsonThatIsNestedDeeperThanAStackIsLong) {
  make_run();
  const std::string deep = "{\"a\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
  write("deep.json", deep);
  refused({"train", "good.csv", "--config", "deep.json"}, {"deep.json", "too deep"});
  for (const char* name : {"config.json", "summary.json"}) {
    const std::string file = std::string("run/") + name;
    const std::string kept = read(file);
    write(file, deep);
    if (std::string(name) == "config.json") {
      refused({"train", "--resume", "run"}, {file, "too deep"});
      refused({"report", "run"}, {file, "too deep"});
      refused({"watch", "run"}, {file, "too deep"});
    } else {
      refused({"inspect", "run"}, {file, "too deep"});
    }
    write(file, kept);
  }
  write("s/search.json", deep);
  refused({"search", "grid", "--resume", "s"}, {"s/search.json", "too deep"});
}

TEST_F(BadPaths, AFailedPredictionKeepsTheOldFile) {
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

TEST_F(BadPaths, PredictionsNeverOverwriteWhatTheyAreMadeFrom) {
  write("d.csv", ring_csv(50));
  ok({"train", "d.csv", "--max-steps", "1", "-o", "run", "--quiet"});
  refused({"predict", "run/model.coppice", "d.csv", "-o", "d.csv"}, {"-o d.csv", "overwrite"});
  refused({"predict", "run/model.coppice", "d.csv", "-o", "run/model.coppice"}, {"overwrite"});
}

TEST_F(BadPaths, NothingOverwritesTheFilesOfARunOrASearch) {
  make_run();
  ok({"search", "grid", "good.csv", "--hidden", "4", "--steps", "1", "--optimizers", "sgd", "--norms", "none",
      "--max-epochs", "1", "-o", "search", "--quiet"});
  std::filesystem::create_symlink("run/summary.json", path("link.csv"));
  for (const std::string out :
       {"run/config.json", "run/summary.json", "run/journal.jsonl", "run/net-0.coppice", "run/report.html",
        "run/analysis.json", "run/checkpoints/net-0.state", "run/../run/summary.json", "link.csv",
        "search/search.json", "search/results.jsonl", "search/model.coppice"}) {
    refused({"predict", "run", "good.csv", "-o", out}, {"-o " + out, "another name"});
    refused({"generate", "poker", "--rows", "9", "-o", out}, {"-o " + out, "another name"});
  }
  ok({"predict", "run", "good.csv", "-o", "run/predictions.csv"});
  ok({"predict", "run", "good.csv", "-o", "summary.json"});
}

}  // namespace
}  // namespace coppice::test
