#include "tests/cli/program.h"

#include <gmock/gmock.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

class ModelDirectory : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("d.csv", ring_csv(60));
    ok({"train", "d.csv", "--lambda", "1e-2", "--max-steps", "2", "-o", "run", "--quiet"});
  }
};

TEST_F(ModelDirectory, StandsForTheModelInIt) {
  for (const Arguments& more : {Arguments{"predict"}, Arguments{"evaluate"}, Arguments{"explain"}}) {
    const Outcome file = ok(more + Arguments{"run/model.coppice", "d.csv"});
    EXPECT_EQ(ok(more + Arguments{"run", "d.csv"}).out, file.out);
    EXPECT_EQ(ok(more + Arguments{"run/", "d.csv"}).out, file.out);
  }
  EXPECT_EQ(ok({"inspect", "run", "--weights", "--json"}).out,
            ok({"inspect", "run/model.coppice", "--weights", "--json"}).out);
  EXPECT_THAT(ok({"inspect", "run"}).out, HasSubstr("lambda")) << "a run shows all its nets";
  refused({"predict", "run", "d.csv", "-o", "run/model.coppice"}, {"overwrite"});
}

TEST_F(ModelDirectory, CanBeContinued) {
  const Arguments train{"train", "d.csv", "--lambda", "1e-2", "--max-steps", "2", "--quiet"};
  ok(train + Arguments{"--warm-start", "run/model.coppice", "-o", "file"});
  ok(train + Arguments{"--warm-start", "run", "-o", "directory"});
  EXPECT_TRUE(read("file/config.json") == read("directory/config.json"));
  EXPECT_TRUE(read("file/model.coppice") == read("directory/model.coppice"));
  ok({"train", "--resume", "directory", "--warm-start", "run", "--quiet"});
}

TEST_F(ModelDirectory, WithoutAModelSaysWhy) {
  call({"train", "d.csv", "--lambda", "1e-2", "--max-steps", "2", "--max-parameters", "1", "-o", "tight"});
  for (const Arguments& call :
       {Arguments{"predict", "tight", "d.csv"}, Arguments{"evaluate", "tight", "d.csv"},
        Arguments{"inspect", "tight", "--weights"}, Arguments{"train", "d.csv", "--warm-start", "tight"}})
    refused(call, {"tight: ", "no net fits the budget", "net-*.coppice"});
}

}  // namespace
}  // namespace coppice::test
