#include "tests/cli/program.h"

#include <gmock/gmock.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;

using Report = Program;

TEST_F(Report, EveryTrainingEndsWithOne) {
  write("d.csv", ring_csv(200));
  EXPECT_THAT(ok({"train", "d.csv", "--max-epochs", "12", "-o", "run"}).out,
              HasSubstr("report       run/report.html\n"));
  const std::string first = read("run/report.html");
  EXPECT_THAT(first, HasSubstr("<section id=\"lives\">"));
  std::filesystem::remove(path("d.csv"));
  EXPECT_EQ(ok({"report", "run"}).out, "report  run/report.html\n") << "the data is not needed";
  EXPECT_EQ(read("run/report.html"), first);
}

TEST_F(Report, ARunOfNumbersAndOneWithoutAnEpochHaveReportsToo) {
  write("d.csv", linear_csv(100));
  ok({"train", "d.csv", "--task", "regression", "--max-epochs", "3", "-o", "numbers", "--quiet"});
  EXPECT_THAT(read("numbers/report.html"), HasSubstr("variance"));
  ok({"train", "d.csv", "--task", "regression", "--max-steps", "1", "-o", "short", "--quiet"});
  EXPECT_TRUE(exists("short/report.html"));
}

TEST_F(Report, WhatIsNoRunIsRefused) {
  refused({"report", "nowhere"}, {"nowhere", "no such directory"});
  write("folder/readme", "x");
  refused({"report", "folder"}, {"folder", "holds no run"});
  refused({"report"}, {"RUN"});
}

}  // namespace
}  // namespace coppice::test
