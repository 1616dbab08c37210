#include "experiments/calibration.h"

#include "tests/cli/program.h"
#include "tests/xml.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ProbabilityScores, AreWhatOneWorksOutByHand) {
  const std::vector<double> probabilities{0.8, 0.2, 0.6, 0.4, 0.3, 0.7, 0.9, 0.1};
  const std::vector<std::size_t> labels{0, 1, 1, 0};
  const ProbabilityScores scores = score_probabilities(probabilities, labels);
  EXPECT_NEAR(scores.log_loss, -(std::log(0.8) + std::log(0.4) + std::log(0.7) + std::log(0.9)) / 4, 1e-12);
  EXPECT_NEAR(scores.brier, 2 * (0.04 + 0.36 + 0.09 + 0.01) / 4, 1e-12);
  EXPECT_NEAR(scores.calibration_error, (0.2 + 0.6 + 0.3 + 0.1) / 4, 1e-12);
}

TEST(ProbabilityScores, HonestProbabilitiesHaveNoCalibrationError) {
  std::vector<double> probabilities;
  std::vector<std::size_t> labels;
  for (std::size_t row = 0; row < 100; ++row) {
    probabilities.insert(probabilities.end(), {0.75, 0.15, 0.1});
    labels.push_back(row < 75 ? 0 : row < 90 ? 1 : 2);
  }
  EXPECT_NEAR(score_probabilities(probabilities, labels).calibration_error, 0, 1e-12);
  const std::vector<double> sure{1, 0, 0};
  EXPECT_LT(score_probabilities(sure, std::vector<std::size_t>{1}).log_loss, 40) << "finite";
}

/// Numbers before and with the temperature, alike for all three scores.
CalibrationArm arm(const char* way, double before, double after) {
  CalibrationArm made{.way = way};
  for (std::size_t seed = 0; seed < 6; ++seed) {
    const double noise = 1 + 0.001 * static_cast<double>(seed);
    CalibratedNet one{.temperature = 0.5,
                      .before = {before * noise, before * noise, before * noise},
                      .after = {after * noise, after * noise, after * noise}};
    one.net.seed = seed;
    one.net.hidden_units = {4, 2};
    one.net.phase = "done";
    one.net.test_error = 0.02;
    made.nets.push_back(one);
  }
  return made;
}

/// All that is claimed is true of it.
CalibrationSet ideal(const char* title = "MNIST") {
  return {.title = title,
          .lambda = 3e-4,
          .arms = {arm(calibrated_itself, 0.4, 0.05), arm(calibrated_same, 0.4, 0.05),
                   arm(calibrated_uncapped, 0.3, 0.06), arm(calibrated_usual, 0.5, 0.08),
                   arm(calibrated_smooth, 0.2, 0.07)}};
}

std::vector<std::string> broken(const std::vector<CalibrationSet>& sets) {
  std::vector<std::string> texts;
  for (const Claim& claim : calibration_claims(sets)) {
    EXPECT_TRUE(claim.ours);
    if (claim.judged.verdict == Verdict::holds) continue;
    EXPECT_EQ(claim.judged.verdict, Verdict::fails) << claim.text;
    texts.push_back(claim.text);
  }
  return texts;
}

CalibrationSet changed(std::size_t at, double before, double after) {
  CalibrationSet set = ideal();
  set.arms[at] = arm(set.arms[at].way.c_str(), before, after);
  return set;
}

TEST(CalibrationClaims, AllHoldOfAnIdealSetAndAreBrokenByTheirWays) {
  EXPECT_THAT(broken({ideal(), ideal("convex")}), IsEmpty());
  EXPECT_THAT(broken({changed(2, 0.5, 0.06)}), ElementsAre(HasSubstr("costs log-loss")));
  EXPECT_THAT(broken({changed(2, 0.3, 0.04)}), ElementsAre(HasSubstr("does no harm")));
  EXPECT_THAT(broken({changed(0, 0.04, 0.05)}), ElementsAre(HasSubstr("temperature lowers")));
  EXPECT_THAT(broken({changed(3, 0.3, 0.08)}),
              ElementsAre(HasSubstr("even so"), HasSubstr("Brier score, without"),
                          HasSubstr("calibration error, without")));
  EXPECT_THAT(broken({changed(3, 0.5, 0.6)}), ElementsAre(HasSubstr("that of usual nets")));
  EXPECT_THAT(broken({changed(3, 0.5, 0.04)}),
              ElementsAre(HasSubstr("lower log-loss than usual"), HasSubstr("Brier"),
                          HasSubstr("and a lower calibration error")));
  EXPECT_THAT(broken({ideal(), changed(4, 0.2, 0.04)}), ElementsAre(HasSubstr("smoothed labels")));
}

TEST(CalibrationPage, RowsAreReadAsTheyWereWritten) {
  const std::vector<CalibrationSet> sets{ideal(), ideal("convex")};
  const Rows rows = calibration_rows(sets);
  EXPECT_EQ(rows.size(), 1U + 2 * 5 * 6);
  const std::vector<CalibrationSet> read = stored_calibration({.rows = parse_csv(csv_text(rows))});
  EXPECT_EQ(calibration_rows(read), rows);
  EXPECT_EQ(calibration_details(read), calibration_details(sets));
  EXPECT_EQ(test::xml_fault(draw_calibration(sets).file("")), "");
}

}  // namespace
}  // namespace coppice::experiments

namespace coppice::test {
namespace {

using CalibrationProgram = Program;

TEST_F(CalibrationProgram, SmallScaleMeasuresEveryWay) {
  ::unsetenv("COPPICE_DATA");
  ok({"calibration", "-o", "out", "--work", "work", "--device", "cpu", "--threads", "1", "--set",
      "seeds=2,rectangles-rows=240,rectangles-test=100,convex-rows=240,convex-test=100"});
  const std::string page = read("out/calibration.md");
  for (const char* part : {"## rectangles-images", "## convex", "| sized by itself |", "smoothed labels |"})
    EXPECT_THAT(page, ::testing::HasSubstr(part));
  ok({"calibration", "--stored", "-o", "out"});
  EXPECT_EQ(read("out/calibration.md"), page);
}

}  // namespace
}  // namespace coppice::test
