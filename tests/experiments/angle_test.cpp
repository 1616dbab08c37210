#include "experiments/angle.h"

#include "tests/cli/program.h"
#include "tests/experiments/made_up_arm.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::HasSubstr;

/// Six sets; on every second one a larger angle is better, on the others a smaller one.
std::vector<StepSet> mixed(double best = 0.010) {
  std::vector<StepSet> sets;
  const std::vector<std::string> titles{"MNIST", "rectangles-images", "convex", "a", "b", "c"};
  for (std::size_t s = 0; s < titles.size(); ++s)
    sets.push_back(
        {.title = titles[s],
         .arms = {made_up_arm(default_angle, 0.02), made_up_arm("angle 0.04", s % 2 == 0 ? best : 0.04),
                  made_up_arm("angle 0.01", s % 2 == 0 ? 0.04 : best)}});
  return sets;
}

TEST(AngleClaims, ARaceTakesTheBetterAngleOfEverySet) {
  const std::vector<StepSet> sets = mixed();
  const StepArm race = raced(sets[0]);
  ASSERT_EQ(race.nets.size(), 6U);
  EXPECT_DOUBLE_EQ(race.nets[0].test_error(), 0.010);
  const std::vector<Claim> claims = angle_claims(sets);
  ASSERT_EQ(claims.size(), 5U);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(claims[c].judged.verdict, Verdict::holds) << claims[c].text;
  EXPECT_THAT(claims[1].measured, HasSubstr("on average 0.500 of"));
  EXPECT_EQ(claims[3].judged.verdict, Verdict::undecided) << "an angle that is better on half of the sets";
  for (const Claim& claim : claims) EXPECT_TRUE(claim.ours);
}

TEST(AngleClaims, AreBrokenByWhatContradictsThem) {
  std::vector<StepSet> sets = mixed();
  for (StepNet& one : sets[1].arms[2].nets) one.net.test_error = 0.03;  // good by validation rows alone
  EXPECT_EQ(angle_claims(sets)[0].judged.verdict, Verdict::fails);
  EXPECT_EQ(angle_claims(mixed(0.018))[2].judged.verdict, Verdict::fails) << "MNIST is above 1.49 %";
}

TEST(AnglePage, TellsOfTheRace) {
  const std::vector<StepSet> sets = mixed();
  EXPECT_THAT(angle_details(sets),
              HasSubstr("| race | 0.001 | 4-2 | 1.00 % (1.00 % to 1.01 %) | 100 % of pairs"));
  EXPECT_EQ(angle_details(stored_steps({.rows = step_rows(sets)})), angle_details(sets));
}

}  // namespace
}  // namespace coppice::experiments

namespace coppice::test {
namespace {

using AngleProgram = Program;

TEST_F(AngleProgram, SmallScaleTrainsEveryAngle) {
  ::unsetenv("COPPICE_DATA");
  ok({"angle", "-o", "out", "--work", "work", "--device", "cpu", "--threads", "1", "--sets", "convex,parity",
      "--set", "seeds=2,convex-rows=240,convex-test=100,table-rows=240,table-test=100"});
  const std::string page = read("out/angle.md");
  for (const char* part : {"## convex", "## parity", "| angle 0.08 |", "| race |"})
    EXPECT_THAT(page, ::testing::HasSubstr(part));
  ok({"angle", "--stored", "-o", "out"});
  EXPECT_EQ(read("out/angle.md"), page);
}

}  // namespace
}  // namespace coppice::test
