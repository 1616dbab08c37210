#include "experiments/theory.h"

#include "coppice/data/generate.h"

#include "tests/cli/program.h"
#include "tests/xml.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Dataset few_rows() {
  return dataset_of(parse_csv(generate_xor(60, 1)));
}

TEST(Minimise, EndsWhereGradientAndPenaltyBalance) {
  const Dataset data = few_rows();
  ASSERT_EQ(data.rows(), 60U);
  ASSERT_EQ(data.input_count(), 10U);
  for (const Penalty& penalty : penalties()) {
    SCOPED_TRACE(penalty.name);
    const Minimisation how{.regularizer = penalty.regularizer,
                           .lambda = 0.01,
                           .hidden = {6},
                           .seed = 3,
                           .steps = 800,
                           .activation = Activation::tanh};
    const Minimum found = minimise(data, how);
    EXPECT_GT(found.objective, found.error);
    ASSERT_FALSE(found.groups.empty());
    for (const Group& group : found.groups) {
      EXPECT_NEAR(group.gradient, 1, 0.02) << "lambdas";
      EXPECT_NEAR(group.radial, 1, 0.02);
    }
    Minimisation shorter = how;
    shorter.steps = 20;
    EXPECT_LT(found.objective, minimise(data, shorter).objective);
  }
}

TEST(Minimise, AdaRadComesToTheSameBalance) {
  const Minimum found = minimise(few_rows(), {.regularizer = {},
                                              .lambda = 0.01,
                                              .hidden = {6},
                                              .seed = 3,
                                              .steps = 1500,
                                              .activation = Activation::tanh,
                                              .adarad = true});
  ASSERT_FALSE(found.groups.empty());
  for (const Group& group : found.groups) EXPECT_NEAR(group.radial, 1, 0.1);
}

/// Nets of which everything that is claimed is true.
std::vector<TheoryNet> ideal() {
  std::vector<TheoryNet> nets;
  const auto add = [&](const char* part, const std::string& penalty, const char* lambdas, std::size_t width,
                       double objective, std::size_t units) {
    for (std::uint64_t seed = 0; seed < 6; ++seed)
      nets.push_back({.part = part,
                      .penalty = penalty,
                      .lambdas = lambdas,
                      .width = width,
                      .seed = seed,
                      .units = {units},
                      .error = objective / 2,
                      .objective = objective * (1 + 1e-4 * static_cast<double>(seed)),
                      .rescaled = objective * (1 + 1e-4 * static_cast<double>(seed)),
                      .near = 1,
                      .radial = 1,
                      .groups = 40,
                      .histogram = std::vector<double>(histogram_edges().size() + 1, 1)});
  };
  for (const Penalty& penalty : penalties()) {
    add("theorem", penalty.name, "1 1", 1, 0.4, 1);
    add("theorem", penalty.name, "1 1", 8, 0.2, 6);
    add("theorem", penalty.name, "1 1", 16, 0.2, 6);
    add("proposition", penalty.name, "1 1", 8, 0.3, 7);
    add("proposition", penalty.name, "4 0.25", 8, 0.3, 7);
  }
  add("no penalty", "none", "1 1", 8, 0.1, 8);
  add("no penalty", "none", "1 1", 16, 0.05, 16);
  add("adarad", penalties().front().name, "1 1", 16, 0.2, 6);
  return nets;
}

std::vector<std::string> broken(const std::vector<TheoryNet>& nets) {
  std::vector<std::string> texts;
  for (const Claim& claim : theory_claims(nets))
    if (claim.judged.verdict != Verdict::holds) texts.push_back(claim.text);
  return texts;
}

/// With these nets changed.
std::vector<TheoryNet> changed(const char* part, std::size_t width, const char* lambdas,
                               const std::function<void(TheoryNet&)>& change) {
  std::vector<TheoryNet> nets = ideal();
  for (TheoryNet& net : nets)
    if (net.part == part && net.width == width && net.lambdas == lambdas) change(net);
  return nets;
}

TEST(TheoryClaims, AllHoldOfIdealNetsAndEachIsBrokenByItself) {
  EXPECT_THAT(broken(ideal()), IsEmpty());
  EXPECT_THAT(broken(changed("theorem", 16, "1 1", [](TheoryNet& net) { net.objective *= 0.9; })),
              ElementsAre(HasSubstr("Theorem 1")));
  EXPECT_THAT(broken(changed("theorem", 16, "1 1", [](TheoryNet& net) { net.units = {9}; })),
              ElementsAre(HasSubstr("superfluous")));
  EXPECT_THAT(broken(changed("no penalty", 16, "1 1", [](TheoryNet& net) { net.error = 0.06; })),
              ElementsAre(HasSubstr("goes on falling")));
  EXPECT_THAT(broken(changed("theorem", 16, "1 1", [](TheoryNet& net) { net.near = 0.9; })),
              ElementsAre(HasSubstr("points against it")));
  EXPECT_THAT(broken(changed("adarad", 16, "1 1", [](TheoryNet& net) { net.radial = 0.9; })),
              ElementsAre(HasSubstr("AdaRad")));
  EXPECT_THAT(broken(changed("proposition", 8, "4 0.25",
                             [](TheoryNet& net) {
                               net.objective *= 1.2;
                               net.rescaled *= 1.2;
                             })),
              ElementsAre(HasSubstr("comes to the same objective")));
  EXPECT_THAT(broken(changed("proposition", 8, "4 0.25", [](TheoryNet& net) { net.rescaled *= 1.001; })),
              ElementsAre(HasSubstr("Proposition 1")));
  EXPECT_THAT(broken(changed("proposition", 8, "4 0.25", [](TheoryNet& net) { net.units = {10}; })),
              ElementsAre(HasSubstr("same size")));
}

TEST(TheoryPage, RowsAreReadAsTheyWereWritten) {
  const std::vector<TheoryNet> nets = ideal();
  const Rows rows = theory_rows(nets);
  const std::vector<TheoryNet> read = stored_theory({.rows = parse_csv(csv_text(rows))});
  EXPECT_EQ(theory_rows(read), rows);
  EXPECT_EQ(theory_details(read), theory_details(nets));
  EXPECT_EQ(test::xml_fault(draw_theory(nets).file("")), "");
}

}  // namespace
}  // namespace coppice::experiments

namespace coppice::test {
namespace {

using TheoryProgram = Program;

TEST_F(TheoryProgram, SmallScaleMakesThePage) {
  const Arguments few{
      "theory", "-o", "out", "--work", "work", "--set", "seeds=2,theory-widths=3,theory-steps=60"};
  ok(few);
  const std::string page = read("out/theory.md");
  EXPECT_THAT(page, ::testing::HasSubstr("| proposition | fan-outs, p = 2 | 4 0.25 | 2 |"));
  const std::string data = read("out/theory.csv");
  ok({"theory", "--stored", "-o", "out"});
  EXPECT_EQ(read("out/theory.md"), page);
  ok(few + Arguments{"--lanes", "2"});
  EXPECT_EQ(read("out/theory.csv"), data) << "how many are at work changes nothing";
}

}  // namespace
}  // namespace coppice::test
