#include "tests/cli/program.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

/// Visits of patients on days, in parts; who is ill follows from x0 and x1.
std::string visits_csv(std::size_t rows) {
  const std::vector<std::string> ring = lines_of(ring_csv(rows));
  std::string text = ring[0] + ",patient,day,part\n";
  for (std::size_t i = 0; i < rows; ++i)
    text += fmt::format("{},p{},2024-{:02}-{:02},{}\n", ring[i + 1], i * i % 17, 1 + i / 28 % 12, 1 + i % 28,
                        i % 3);
  return text;
}

class Splits : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("d.csv", visits_csv(240));
  }
  Arguments train(const Arguments& more) const {
    return Arguments{"train", "d.csv",        "--target", "label", "--lambda",
                     "1e-3",  "--max-epochs", "2",        "-o",    "run"} +
           more;
  }
};

TEST_F(Splits, EachColumnIsNamedOnceAndIsNoInput) {
  const std::map<std::string, std::string> columns{
      {"--group", "patient"}, {"--time", "day"}, {"--fold", "part"}};
  for (const auto& [flag, column] : columns) {
    const Outcome outcome = ok({"train", "d.csv", "--target", "label", flag, column, "--lambda", "1e-3",
                                "--max-epochs", "2", "-o", "run" + flag});
    EXPECT_THAT(outcome.errors,
                HasSubstr(fmt::format("column \"{}\" says how rows are split and is no input", column)));
    const Json model = ok({"inspect", "run" + flag + "/model.coppice", "--json", "--weights"}).json();
    for (const Json& used : model["encoding"]["columns"]) EXPECT_NE(used["name"], column);
    EXPECT_EQ(ok({"predict", "run" + flag, "d.csv"}).errors, "") << "files to predict may have it";
    ok({"train", "--resume", "run" + flag, "--quiet"});
  }
  const Json config = read_json("run--fold/config.json");
  EXPECT_EQ(config["fold"], "part");
  EXPECT_FALSE(config["resolved"].contains("validation"));
}

TEST_F(Splits, FoldsTakeTurnsWithTheSeeds) {
  ok(train({"--fold", "part", "--seeds", "3", "--quiet"}));
  const Json summary = read_json("run/summary.json");
  ASSERT_EQ(summary["nets"].size(), 3U);
  EXPECT_THAT(ok({"inspect", "run/model.coppice"}).out, HasSubstr("160 rows, validated on 80"));
}

TEST_F(Splits, ATrainingMayBeRepeated) {
  const Outcome outcome = ok(train({"--test", "0.2", "--repeat", "3"}));
  EXPECT_THAT(outcome.out,
              HasSubstr("median (range) of 3 trainings with other seeds and rows: validation error "));
  EXPECT_THAT(outcome.out, HasSubstr(", test error "));
  EXPECT_THAT(outcome.errors, HasSubstr("repetition 3 of 3, with seed 2"));
  const Json summary = read_json("run/summary.json");
  ASSERT_EQ(summary["repetitions"].size(), 3U);
  EXPECT_EQ(summary["repetitions"][0]["test_error"], summary["nets"][0]["test_error"]);
  EXPECT_THAT(ok({"inspect", "run"}).out, HasSubstr("of 3 trainings"));
  ok({"train", "d.csv", "--target", "label", "--lambda", "1e-3", "--max-epochs", "2", "--test", "0.2",
      "--seed", "2", "-o", "alone", "--quiet"});
  EXPECT_EQ(summary["repetitions"][2]["test_error"],
            read_json("alone/summary.json")["nets"][0]["test_error"]);
  ok({"train", "--resume", "run", "--repeat", "2", "--quiet"});
  EXPECT_EQ(read_json("run/summary.json")["repetitions"].size(), 2U);
}

TEST_F(Splits, MistakesAreSaid) {
  for (const char* flag : {"--group", "--time", "--fold"}) {
    refused(train({flag, "patients"}),
            {flag, "\"patients\", which is not there (did you mean \"patient\"?)"});
    refused(train({flag, "label"}), {flag, "names the target"});
    refused(train({flag, "day", flag, "part"}), {flag, "one value"});
  }
  refused(train({"--time", "patient"}), {"row 1, column 4 (\"patient\")", "no time", "2024-05-01"});
  refused(train({"--time", "day", "--group", "patient"}),
          {"--time and --group both say which rows validate"});
  refused(train({"--fold", "part", "--validation", "0.2"}), {"--fold says which rows validate"});
  refused(train({"--fold", "part", "--group", "patient"}), {"has rows in the folds"});
  for (const char* repeat : {"0", "x", "1001"}) refused(train({"--repeat", repeat}), {"--repeat"});
  write("few.csv", "a,who,y\n1,p,0\n2,p,1\n3,p,0\n4,,1\n");
  refused({"train", "few.csv", "--target", "y", "--group", "who"}, {"line 5, column 2 (\"who\")", "missing"});
  write("one.csv", "a,who,y\n1,p,0\n2,p,1\n3,p,0\n4,p,1\n");
  refused({"train", "one.csv", "--target", "y", "--group", "who"},
          {"--group: the column \"who\" names one group in all 4"});
  refused({"train", "one.csv", "--target", "y", "--time", "who"}, {"no time"});
  refused({"train", "one.csv", "--target", "y", "--fold", "who"},
          {"--fold: the column \"who\" names 1 fold"});
  write("same.csv", "a,t,y\n1,7,0\n2,7,1\n3,7,0\n4,7,1\n");
  refused({"train", "same.csv", "--target", "y", "--time", "t"},
          {"--time: the column \"t\" says the same in all 4 rows"});
}

}  // namespace
}  // namespace coppice::test
