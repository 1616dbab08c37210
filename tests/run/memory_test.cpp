// What is beyond `memory` lies in scratch files: the models are the same.
#include "coppice/core/file.h"
#include "coppice/run/run.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class LittleMemory : public Folder {
 protected:
  Result run(const std::string& name, const Options& options) const {
    RunOptions run;
    run.data = path("data.csv");
    run.options = options;
    coppice::Run whole = coppice::Run::create(run, path(name));
    EXPECT_TRUE(whole.train(nullptr));
    return whole.finish();
  }
};

TEST_F(LittleMemory, GivesTheSameModels) {
  // 45,000 rows: cells of 1.3 MB, of which 0.25 MB are held, and inputs of 0.6 MB, packed, of which none are.
  write("data.csv", Mixed(45'000).csv());
  for (const std::string target : {"word", "value"}) {
    Options options;
    options.target = target;
    options.ignore = {"key", "level", target == "word" ? "value" : "word"};
    options.effort = Effort::quick;
    options.lambdas = {1e-3, 1e-4};
    options.ensemble = 2;
    options.test = 0.1;
    options.max_epochs = 3;
    options.device = Device::cpu;
    options.threads = 2;
    const Result held = run("held-" + target, options);
    EXPECT_THAT(held.notes, Not(Contains(HasSubstr("scratch file"))));
    options.memory = 1'000'000;
    const Result result = run("scratch-" + target, options);
    EXPECT_THAT(result.notes, Contains(HasSubstr("lie in a scratch file in ")));
    ASSERT_EQ(result.models.size(), held.models.size());
    for (std::size_t i = 0; i < held.models.size(); ++i)
      EXPECT_TRUE(result.models[i].bytes() == held.models[i].bytes()) << target << ", net " << i;
    EXPECT_EQ(read_file(path("scratch-" + target + "/model.coppice")),
              read_file(path("held-" + target + "/model.coppice")));
    EXPECT_EQ(read_file(path("scratch-" + target + "/analysis.json")),
              read_file(path("held-" + target + "/analysis.json")));
  }
}

TEST_F(LittleMemory, AnEnsembleTeachesTheSameNet) {
  write("data.csv", Mixed(45'000).csv());
  Options options;
  options.target = std::string("word");
  options.ignore = {"key", "level", "value"};
  options.effort = Effort::quick;
  options.lambdas = {1e-2};
  options.hidden_layers = 1;
  options.patience = 1;
  options.fine_patience = 1;
  options.unit_lifetime = 1;
  options.ensemble = 2;
  options.distil = Distil::on;
  options.device = Device::cpu;
  options.threads = 2;
  const Result held = run("held", options);
  EXPECT_TRUE(held.nets[*held.chosen].taught);
  options.memory = 1'000'000;
  const Result result = run("scratch", options);
  EXPECT_THAT(result.notes, Contains(HasSubstr("lie in a scratch file in ")));
  EXPECT_TRUE(result.model().bytes() == held.model().bytes());
}

TEST_F(LittleMemory, IsNoReasonToRefuseResuming) {
  write("data.csv", Mixed(45'000).csv());
  Options options;
  options.target = std::string("word");
  options.ignore = {"key", "level", "value"};
  options.effort = Effort::quick;
  options.lambdas = {1e-3};
  options.ensemble = 1;
  options.max_epochs = 2;
  options.device = Device::cpu;
  const Result held = run("held", options);
  RunOptions given;
  given.data = path("data.csv");
  given.options = options;
  { const coppice::Run begun = coppice::Run::create(given, path("run")); }
  coppice::Run resumed =
      coppice::Run::resume(path("run"), [](RunOptions& run) { run.options.memory = 1'000'000; });
  EXPECT_TRUE(resumed.train(nullptr));
  EXPECT_TRUE(resumed.finish().model().bytes() == held.model().bytes());
}

}  // namespace
}  // namespace coppice
