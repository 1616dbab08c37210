#include "experiments/changes.h"

#include "tests/cli/program.h"
#include "tests/experiments/made_up_arm.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Three claims on each change; the second of the arms has this error, the third is worse, the others are as the default.
std::vector<StepSet> made_up(double kinks) {
  std::vector<StepSet> sets;
  for (const char* title : {"convex, 300 units at first", "convex", "rectangles-images", "a", "b", "c"})
    sets.push_back({.title = title,
                    .arms = {made_up_arm(unchanged, 0.3), made_up_arm(rows_change, 0.3),
                             made_up_arm(kinks_change, kinks), made_up_arm(factor_change, 0.4),
                             made_up_arm(rule_change, 0.3), made_up_arm(three_changes, kinks),
                             made_up_arm(all_changes, kinks)}});
  return sets;
}

TEST(ChangesClaims, HoldWhereAChangeIsBetterEverywhere) {
  const std::vector<Claim> claims = changes_claims(made_up(0.1));
  ASSERT_EQ(claims.size(), 18U);
  for (const std::size_t first : {3U, 12U, 15U})
    for (std::size_t c = first; c < first + 3; ++c)
      EXPECT_EQ(claims[c].judged.verdict, Verdict::holds) << claims[c].text;
  for (const std::size_t c : {0U, 1U, 9U, 10U})
    EXPECT_EQ(claims[c].judged.verdict, Verdict::undecided) << claims[c].text;
  for (const std::size_t c : {2U, 6U, 7U, 8U, 11U})
    EXPECT_EQ(claims[c].judged.verdict, Verdict::fails) << claims[c].text;
  EXPECT_THAT(claims[5].measured, HasSubstr("convex, 300 units at first: 10.05 %"));
  EXPECT_THAT(claims[5].measured, HasSubstr("and 23.28 %"));
  for (const Claim& claim : claims) EXPECT_TRUE(claim.ours);
}

/// Not better than the default, and better than it but not than the parametric nets of convex.
TEST(ChangesClaims, AreBrokenByWhatContradictsThem) {
  for (const std::size_t c : {3U, 4U, 5U})
    EXPECT_EQ(changes_claims(made_up(0.31))[c].judged.verdict, Verdict::fails);
  const std::vector<Claim> claims = changes_claims(made_up(0.25));
  EXPECT_EQ(claims[3].judged.verdict, Verdict::holds);
  EXPECT_EQ(claims[5].judged.verdict, Verdict::fails);
}

TEST(ChangesClaims, ArmsThatASetLacksAreNotJudged) {
  std::vector<StepSet> sets = made_up(0.1);
  for (StepSet& set : sets) set.arms.resize(5);
  const std::vector<Claim> claims = changes_claims(sets);
  EXPECT_EQ(claims.size(), 12U);
  for (const Claim& claim : claims) {
    EXPECT_THAT(claim.text, Not(HasSubstr(three_changes)));
    EXPECT_THAT(claim.text, Not(HasSubstr(all_changes)));
  }
  EXPECT_THAT(changes_details(sets), HasSubstr("| kinks that learn | 0.001 | 4-2 | 10.0"));
}

}  // namespace
}  // namespace coppice::experiments

namespace coppice::test {
namespace {

using ChangesProgram = Program;

TEST_F(ChangesProgram, SmallScaleTrainsEveryArmAndWhatAPageLacks) {
  ::unsetenv("COPPICE_DATA");
  const std::string few = "seeds=2,convex-rows=240,convex-test=100,table-rows=240,table-test=100";
  ok({"changes", "-o", "out", "--work", "work", "--device", "cpu", "--threads", "1", "--sets",
      "wide-convex,xor", "--set", few});
  const std::string page = read("out/changes.md");
  for (const char* part : {"## convex, 300 units at first", "## xor", "| all four |", "--kink-step 0.3"})
    EXPECT_THAT(page, ::testing::HasSubstr(part));
  ok({"changes", "--stored", "-o", "out"});
  EXPECT_EQ(read("out/changes.md"), page);
  const std::string whole = read("out/changes.csv");
  std::string fewer;
  for (const std::string& line : lines_of(whole))
    if (line.find("xor,outputs with a factor,") == std::string::npos) fewer += line + "\n";
  ASSERT_NE(fewer, whole);
  write("out/changes.csv", fewer);
  ok({"changes", "-o", "out", "--work", "work2", "--device", "cpu", "--threads", "1", "--sets", "xor",
      "--missing", "--set", few});
  EXPECT_EQ(read("out/changes.csv"), whole);
  EXPECT_FALSE(exists("work2/small/changes-xor-plain"));
  const Outcome on_gpu = call({"changes", "-o", "out", "--work", "work", "--device", "cuda"});
  EXPECT_EQ(on_gpu.code, 2);
  EXPECT_THAT(on_gpu.errors, ::testing::HasSubstr("can be trained on processors alone"));
}

}  // namespace
}  // namespace coppice::test
