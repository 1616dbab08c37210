#include "experiments/settings.h"

#include "tests/cli/program.h"
#include "tests/xml.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Six seeds at every lambda.
StepArm arm(const std::string& variant, const std::vector<double>& lambdas, double error) {
  StepArm made{.variant = variant};
  for (const double lambda : lambdas) {
    for (std::size_t seed = 0; seed < 6; ++seed) {
      StepNet& one = made.nets.emplace_back();
      one.net.lambda = lambda;
      one.net.seed = seed;
      one.net.hidden_units = {4, 2};
      one.net.parameters = 20;
      one.net.phase = "done";
      one.net.validation_error = error;
      one.net.test_error = error * (1 + 0.002 * static_cast<double>(seed));
    }
  }
  return made;
}

/// All that is claimed is true of them.
std::vector<StepSet> ideal() {
  const std::vector<double> two{3e-5, 1e-6};
  const std::vector<double> three{1e-5, 1e-6, 1e-8};
  const std::vector<double> one{1e-3};
  return {
      {.title = "rectangles-images",
       .arms = {arm(papers_settings, two, 0.17), arm(tenth_alpha, two, 0.12), arm(small_batches, two, 0.10)}},
      {.title = "convex",
       .arms = {arm(papers_settings, three, 0.25), arm(many_units, three, 0.24), arm(fast_growth, three, 0.2),
                arm(own_settings, three, 0.28), arm(wider_angle, three, 0.25)}},
      {.title = "poker",
       .arms = {arm(papers_settings, one, 0.45), arm(triple_alpha, one, 0.05), arm(longer_life, one, 0.01),
                arm(own_settings, one, 0.01)}}};
}

std::vector<std::string> broken(const std::vector<StepSet>& sets) {
  std::vector<std::string> texts;
  for (const Claim& claim : settings_claims(sets)) {
    EXPECT_TRUE(claim.ours);
    if (claim.judged.verdict == Verdict::holds) continue;
    EXPECT_EQ(claim.judged.verdict, Verdict::fails) << claim.text;
    texts.push_back(claim.text);
  }
  return texts;
}

/// With another error of one way on one set.
std::vector<StepSet> changed(std::size_t set, const char* variant, double error) {
  std::vector<StepSet> sets = ideal();
  for (StepArm& one : sets[set].arms)
    if (one.variant == variant) one = arm(variant, one.lambdas(), error);
  return sets;
}

TEST(SettingsClaims, AllHoldOfIdealSetsAndEachIsBrokenByItself) {
  EXPECT_THAT(broken(ideal()), IsEmpty());
  EXPECT_EQ(settings_claims(ideal()).size(), 8U);
  EXPECT_THAT(broken(changed(0, tenth_alpha, 0.18)), ElementsAre(HasSubstr("a tenth of")));
  EXPECT_THAT(broken(changed(0, small_batches, 0.13)), ElementsAre(HasSubstr("batches of 200")));
  EXPECT_THAT(broken(changed(1, many_units, 0.26)), ElementsAre(HasSubstr("many units")));
  EXPECT_THAT(broken(changed(1, fast_growth, 0.26)), ElementsAre(HasSubstr("five units")));
  EXPECT_THAT(broken(changed(1, wider_angle, 0.3)), ElementsAre(HasSubstr("wider angle")));
  EXPECT_THAT(broken(changed(2, triple_alpha, 0.46)), ElementsAre(HasSubstr("three times")));
  EXPECT_THAT(broken(changed(2, longer_life, 0.46)), ElementsAre(HasSubstr("four times as long")));
  EXPECT_THAT(broken(changed(2, own_settings, 0.46)), ElementsAre(HasSubstr("so do the default settings")));
  EXPECT_TRUE(settings_claims({}).empty());
}

TEST(SettingsPage, TellsOfEveryWayAtEveryLambda) {
  const std::vector<StepSet> sets = ideal();
  const std::string details = settings_details(sets);
  EXPECT_THAT(details,
              HasSubstr("| alpha_phi 3 | 1e-06 | 4-2 | 20 | 12.06 % (12.00 % to 12.12 %) | 100 % of"));
  EXPECT_EQ(settings_details(stored_steps({.rows = step_rows(sets)})), details);
  EXPECT_EQ(test::xml_fault(draw_settings(sets).file("")), "");
}

}  // namespace
}  // namespace coppice::experiments

namespace coppice::test {
namespace {

using SettingsProgram = Program;

TEST_F(SettingsProgram, SmallScaleTrainsEveryWay) {
  ::unsetenv("COPPICE_DATA");
  ok({"settings", "-o", "out", "--work", "work", "--device", "cpu", "--threads", "1", "--set",
      "seeds=2,settings-sets=3,rectangles-rows=240,rectangles-test=100,convex-rows=240,convex-test=100,"
      "poker-rows=400,poker-validation=100,poker-test=100"});
  const std::string page = read("out/settings.md");
  for (const char* part : {"## rectangles-images", "## convex", "## poker", "| lifetime 50 epochs |"})
    EXPECT_THAT(page, ::testing::HasSubstr(part));
  ok({"settings", "--stored", "-o", "out"});
  EXPECT_EQ(read("out/settings.md"), page);
}

}  // namespace
}  // namespace coppice::test
