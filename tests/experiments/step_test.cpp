#include "experiments/step.h"

#include "tests/cli/program.h"
#include "tests/xml.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Numbers of nets at the smaller lambda; the larger one is worse by validation rows and never chosen.
struct Numbers {
  double error = 0.02;
  double flips = 0;
  double length = 1;
  std::size_t parameters = 100;
};

StepArm arm(const char* variant, const Numbers& numbers) {
  StepArm made{.variant = variant};
  for (const double lambda : {1e-3, 1e-8}) {
    for (std::size_t seed = 0; seed < 6; ++seed) {
      const double noise = 1 + 0.001 * static_cast<double>(seed);
      StepNet one{.flips = lambda < 1e-4 ? numbers.flips : 0, .length = numbers.length * noise, .angle = 0.1};
      one.net.lambda = lambda;
      one.net.seed = seed;
      one.net.hidden_units = {4, 2};
      one.net.parameters = numbers.parameters + seed;
      one.net.phase = "done";
      one.net.validation_error = lambda < 1e-4 ? 0.1 : 0.2;
      one.net.test_error = (lambda < 1e-4 ? numbers.error : 0.001) * noise;
      made.nets.push_back(one);
    }
  }
  return made;
}

/// Everything that is claimed is true of it.
StepSet ideal(const std::string& title = "MNIST") {
  return {.title = title,
          .arms = {arm(plain_step, {.error = 0.032, .flips = 0.01, .length = 40, .parameters = 900}),
                   arm(wide_trust, {}), arm(narrow_trust, {}), arm(relative_trust, {}),
                   arm(exponential_step, {}), arm(relative_shrinking, {}), arm(forgotten_peak, {})}};
}

std::vector<StepSet> six(const StepSet& last) {
  std::vector<StepSet> sets;
  for (const char* title : {"a", "b", "c", "d", "e"}) sets.push_back(ideal(title));
  sets.push_back(last);
  return sets;
}

std::vector<std::string> broken(const std::vector<StepSet>& sets, Verdict verdict = Verdict::fails) {
  std::vector<std::string> texts;
  for (const Claim& claim : step_claims(sets)) {
    EXPECT_TRUE(claim.ours);
    if (claim.judged.verdict == Verdict::holds) continue;
    EXPECT_EQ(claim.judged.verdict, verdict) << claim.text << ": " << claim.judged.test;
    texts.push_back(claim.text);
  }
  return texts;
}

StepSet changed(std::size_t arm_at, const Numbers& numbers) {
  StepSet set = ideal("MNIST");
  set.arms[arm_at] = arm(set.arms[arm_at].variant.c_str(), numbers);
  return set;
}

TEST(StepClaims, AllHoldOfIdealSetsAndEachIsBrokenByItself) {
  EXPECT_THAT(broken(six(ideal("f"))), IsEmpty());
  std::vector<StepSet> steady = six(ideal("f"));
  for (StepSet& set : steady)
    set.arms[0] = arm(plain_step, {.error = 0.032, .length = 40, .parameters = 900});
  EXPECT_THAT(broken(steady), ElementsAre(HasSubstr("turns units around")));
  EXPECT_THAT(broken(six(changed(2, {.length = 50}))), ElementsAre(HasSubstr("shorter")));
  EXPECT_THAT(broken(six(changed(2, {.parameters = 2000}))), ElementsAre(HasSubstr("lets units die")));
  EXPECT_THAT(broken(six(changed(4, {.parameters = 2000}))),
              ElementsAre(HasSubstr("exponential: nets of the smallest lambda have fewer")));
  EXPECT_THAT(broken(six(changed(5, {.parameters = 2000}))),
              ElementsAre(HasSubstr("relative shrinkage: nets of the smallest lambda have fewer")));
}

TEST(StepClaims, WaysThatNoSetHasAreLeftOut) {
  std::vector<StepSet> sets = six(ideal("f"));
  const std::size_t all = step_claims(sets).size();
  for (StepSet& set : sets) set.arms.resize(4);
  EXPECT_EQ(step_claims(sets).size(), all - 4 - 6);
}

TEST(StepClaims, FiveOfSixSetsDecideNothingAboutTheirMedians) {
  for (const Claim& claim : step_claims(six(changed(1, {.error = 0.04})))) {
    if (claim.text.starts_with("trust region 2: lower median")) {
      EXPECT_EQ(claim.judged.verdict, Verdict::undecided);
    } else if (claim.text.starts_with("trust region 2: lower test errors")) {
      EXPECT_EQ(claim.judged.verdict, Verdict::fails);
    }
  }
}

TEST(StepPage, RowsAreReadAsTheyWereWritten) {
  StepSet second = ideal("convex");
  second.arms[3].nets[0].net.phase = "failed";
  const std::vector<StepSet> sets{ideal(), second};
  const Rows rows = step_rows(sets);
  EXPECT_EQ(rows.size(), 1U + 2 * 7 * 12);
  const std::vector<StepSet> read = stored_steps({.rows = parse_csv(csv_text(rows))});
  EXPECT_EQ(step_rows(read), rows);
  EXPECT_EQ(step_details(read), step_details(sets));
  EXPECT_EQ(read[1].arms[3].nets[0].test_error(), 1) << "a net that failed is wrong in every row";
  EXPECT_EQ(read[0].arms[1].chosen_lambda(), 1e-8) << "by validation rows, not by test rows";
  EXPECT_THAT(step_details(sets), HasSubstr("| as in the paper (chosen) | 1e-08 | 4-2 |"));
  EXPECT_EQ(test::xml_fault(draw_steps(sets).file("")), "");
}

}  // namespace
}  // namespace coppice::experiments

namespace coppice::test {
namespace {

using StepProgram = Program;

/// On few rows: every set and way gives nets, runs side by side give what runs one after the other do, and the page can
/// be judged again from what is stored.
TEST_F(StepProgram, SmallScaleTrainsEverySet) {
  ::unsetenv("COPPICE_DATA");
  const std::string few =
      "seeds=2,step-sets=3,rectangles-rows=240,rectangles-test=100,convex-rows=240,"
      "convex-test=100,table-rows=240,table-test=100";
  ok({"step", "-o", "out", "--work", "work", "--device", "cpu", "--threads", "1", "--set", few});
  const std::string page = read("out/step.md");
  for (const char* part : {"## rectangles-images", "## convex", "## twonorm", "| trust region 1.1"})
    EXPECT_THAT(page, ::testing::HasSubstr(part));
  ok({"step", "--stored", "-o", "out"});
  EXPECT_EQ(read("out/step.md"), page);
  ok({"step", "-o", "beside", "--work", "work2", "--device", "cpu", "--threads", "1", "--lanes", "4", "--set",
      few});
  const std::string whole = read("out/step.csv");
  EXPECT_EQ(read("beside/step.csv"), whole);

  // What a page lacks of a set is trained alone.
  std::string fewer;
  for (const std::string& line : lines_of(whole))
    if (line.find("convex,trust region 2,") == std::string::npos) fewer += line + "\n";
  ASSERT_NE(fewer, whole);
  write("beside/step.csv", fewer);
  ok({"step", "-o", "beside", "--work", "work3", "--device", "cpu", "--threads", "1", "--sets", "convex",
      "--missing", "--set", few});
  EXPECT_EQ(read("beside/step.csv"), whole);
  EXPECT_TRUE(exists("work3/small/step-convex-trust-2"));
  EXPECT_FALSE(exists("work3/small/step-convex-plain"));
}

}  // namespace
}  // namespace coppice::test
