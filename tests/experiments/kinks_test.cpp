#include "experiments/kinks.h"

#include "tests/cli/program.h"
#include "tests/experiments/made_up_arm.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::HasSubstr;

std::vector<StepSet> made_up(double whole) {
  std::vector<StepSet> sets;
  for (const char* title : {"MNIST", "rectangles-images", "convex", "a", "b", "c"})
    sets.push_back({.title = title,
                    .arms = {made_up_arm(plain_kinks, 0.020), made_up_arm(half_kinks, 0.020),
                             made_up_arm(whole_kinks, whole), made_up_arm(wider_angle, 0.018),
                             made_up_arm(kinks_and_angle, whole)}});
  return sets;
}

TEST(KinksClaims, HoldWhereKinksAreBetterEverywhere) {
  const std::vector<Claim> claims = kinks_claims(made_up(0.010));
  ASSERT_EQ(claims.size(), 7U);
  for (const std::size_t c : {2U, 3U, 4U, 5U, 6U})
    EXPECT_EQ(claims[c].judged.verdict, Verdict::holds) << claims[c].text;
  for (const std::size_t c : {0U, 1U})
    EXPECT_EQ(claims[c].judged.verdict, Verdict::undecided) << "kinks 0.5 are as none";
  EXPECT_THAT(claims[3].measured, HasSubstr("on average 0.500 of"));
  for (const Claim& claim : claims) EXPECT_TRUE(claim.ours);
}

TEST(KinksClaims, AreBrokenByWhatContradictsThem) {
  const std::vector<Claim> claims = kinks_claims(made_up(0.030));
  for (const std::size_t c : {2U, 3U, 4U, 5U, 6U})
    EXPECT_EQ(claims[c].judged.verdict, Verdict::fails) << claims[c].text;
  std::vector<StepSet> sets = made_up(0.010);
  for (StepNet& one : sets[1].arms[2].nets) one.net.test_error = 0.03;  // good by validation rows alone
  EXPECT_EQ(kinks_claims(sets)[2].judged.verdict, Verdict::fails);
  EXPECT_EQ(kinks_claims(made_up(0.0199))[4].judged.verdict, Verdict::fails)
      << "better than the default, but the wider angle alone does more";
}

TEST(KinksClaims, SetsOfFewerArmsAreJudgedToo) {
  std::vector<StepSet> sets = made_up(0.010);
  for (StepSet& set : sets) set.arms.resize(3);
  EXPECT_EQ(kinks_claims(sets)[4].judged.verdict, Verdict::undecided);
  EXPECT_EQ(kinks_claims({}).size(), 7U);
}

TEST(KinksPage, TellsOfEveryArm) {
  const std::vector<StepSet> sets = made_up(0.010);
  EXPECT_THAT(kinks_details(sets),
              HasSubstr("| kinks 1 | 0.001 | 4-2 | 1.00 % (1.00 % to 1.01 %) | 100 % of pairs"));
  EXPECT_EQ(kinks_details(stored_steps({.rows = step_rows(sets)})), kinks_details(sets));
}

}  // namespace
}  // namespace coppice::experiments

namespace coppice::test {
namespace {

using KinksProgram = Program;

TEST_F(KinksProgram, SmallScaleTrainsEveryArm) {
  ::unsetenv("COPPICE_DATA");
  ok({"kinks", "-o", "out", "--work", "work", "--device", "cpu", "--threads", "1", "--sets", "convex,parity",
      "--set", "seeds=2,convex-rows=240,convex-test=100,table-rows=240,table-test=100"});
  const std::string page = read("out/kinks.md");
  for (const char* part : {"## convex", "## parity", "| kinks 0.5 |", "| kinks 1, angle 0.04 |"})
    EXPECT_THAT(page, ::testing::HasSubstr(part));
  ok({"kinks", "--stored", "-o", "out"});
  EXPECT_EQ(read("out/kinks.md"), page);
}

}  // namespace
}  // namespace coppice::test
