#include "tests/cli/program.h"

#include <gmock/gmock.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class FailedNets : public Program {};

TEST_F(FailedNets, ANetWhoseLossIsNotFiniteStopsAndTheOthersGoOn) {
  write("d.csv", ring_csv(300));
  const Outcome trained = ok({"train", "d.csv", "--lambda", "1e-305,1e-3", "--max-epochs", "5", "-o", "run"});
  const Json summary = read_json("run/summary.json");
  EXPECT_EQ(summary["nets"][0]["phase"], "failed");
  EXPECT_EQ(summary["nets"][1]["phase"], "grow");
  EXPECT_EQ(summary["nets"][1]["epochs"], 5);
  EXPECT_EQ(summary["best"], 1);
  EXPECT_THAT(trained.out, AllOf(HasSubstr("not finite"), Not(HasSubstr("nan"))));
  const Json layers = ok({"inspect", "run/net-0.coppice", "--json", "--weights"}).json()["layers"];
  for (const Json& layer : layers) EXPECT_THAT(layer.dump(), Not(HasSubstr("null"))) << "a NaN model";
  ok({"train", "--resume", "run", "--quiet"});
}

TEST_F(FailedNets, ARunWhereEveryNetFailsSaysSo) {
  write("d.csv", ring_csv(300));
  const Arguments fixed{
      "train", "d.csv",       "--fixed-size", "4",      "--norm", "none",         "--output-capnorm",
      "off",   "--optimizer", "sgd",          "--step", "1e35",   "--max-epochs", "5",
      "-o",    "fixed"};
  const Outcome outcome = call(fixed);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("not finite"));
  EXPECT_THAT(lines_of(outcome.errors).back(),
              AllOf(StartsWith("coppice: every net failed"), HasSubstr("--step than 1e+35"),
                    HasSubstr("the data"), Not(HasSubstr("--lambda"))));
  for (const char* name : {"summary.json", "journal.jsonl", "net-0.coppice", "report.html"})
    EXPECT_TRUE(exists(std::string("fixed/") + name)) << name;
  const Outcome growing =
      call({"train", "d.csv", "--lambda", "1e-305", "--max-epochs", "5", "-o", "run", "--json"});
  EXPECT_EQ(growing.code, 2);
  EXPECT_EQ(growing.json()["nets"][0]["phase"], "failed");
  EXPECT_THAT(lines_of(growing.errors).back(),
              AllOf(HasSubstr("--angle than"), HasSubstr("larger --lambda")));
}

TEST_F(FailedNets, ProgressShowsNoErrorsThatAreNone) {
  write("d.csv", linear_csv(300));
  const Arguments diverging{"train",        "d.csv", "--target",  "y",    "--optimizer", "sgd",
                            "--fixed-size", "5",     "--step",    "1e30", "--norm",      "none",
                            "--keep",       "last",  "--threads", "2"};
  const Outcome three = call(diverging + Arguments{"--seeds", "3", "-o", "three"});
  EXPECT_EQ(three.code, 2);
  EXPECT_THAT(three.errors, AllOf(HasSubstr("nets 3/3  3 failed  "), Not(HasSubstr("nan")),
                                  Not(HasSubstr("error 0.0000")), Not(HasSubstr("epoch 0"))));
  EXPECT_THAT(call(diverging + Arguments{"-o", "one"}).errors,
              AllOf(HasSubstr("]  failed  "), Not(HasSubstr("nan"))));
}

}  // namespace
}  // namespace coppice::test
