#include "coppice/api/front.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::ElementsAre;

Candidate net(double error, std::size_t parameters, double standard_error = 0) {
  return {.error = error,
          .standard_error = standard_error,
          .parameters = parameters,
          .bytes = 100 + 4 * parameters};
}

TEST(Dominated, NetsThatAnotherBeatsInBoth) {
  const std::vector<Candidate> nets{net(0.3, 10), net(0.1, 50),   net(0.2, 60),
                                    net(0.1, 50), net(0.05, 200), net(0.3, 9)};
  EXPECT_THAT(dominated(nets), ElementsAre(true, false, true, true, false, false))
      << "equal nets: the first stays";
  EXPECT_THAT(dominated(std::vector{net(0.5, 3)}), ElementsAre(false));
  EXPECT_TRUE(dominated({}).empty());
}

TEST(Dominated, AFailedNetIsWorseThanAnyOther) {
  const std::vector<Candidate> nets{net(std::nan(""), 10), net(0.9, 10), net(std::nan(""), 5)};
  EXPECT_THAT(dominated(nets), ElementsAre(true, false, false));
}

TEST(PickNet, TheLowestErrorAndOfTiesTheSmaller) {
  const std::vector<Candidate> nets{net(0.2, 10), net(0.1, 60), net(0.1, 50), net(0.1, 50)};
  EXPECT_EQ(pick(nets, Pick::best, {}), 2U);
  EXPECT_EQ(pick(std::vector{net(0.7, 5)}, Pick::knee, {}), 0U);
  EXPECT_EQ(pick({}, Pick::best, {}), std::nullopt);
}

TEST(PickNet, OfEqualErrorsTheLowerTieThatAlsoKeepsItOnTheFront) {
  std::vector<Candidate> nets{net(0.1, 50), net(0.1, 60), net(0.2, 10)};
  nets[0].tie = 0.4;
  nets[1].tie = 0.3;
  EXPECT_EQ(pick(nets, Pick::best, {}), 1U);
  EXPECT_THAT(dominated(nets), ElementsAre(false, false, false));
  nets[1].tie = 0.4;
  EXPECT_EQ(pick(nets, Pick::best, {}), 0U);
  EXPECT_THAT(dominated(nets), ElementsAre(false, true, false));
}

TEST(PickNet, TheSmallestWithinOneStandardErrorOfTheBest) {
  const std::vector<Candidate> nets{net(0.30, 10, 0.1), net(0.125, 40, 0.001), net(0.13, 20, 0.001),
                                    net(0.10, 90, 0.03)};
  EXPECT_EQ(pick(nets, Pick::smallest, {}), 2U) << "the best net's own standard error counts";
  EXPECT_EQ(pick(nets, Pick::smallest, {.parameters = 50}), 1U)
      << "within the budget the best is another, and surer";
}

TEST(PickNet, TheKneeIsWhereTheFrontBends) {
  const std::vector<Candidate> nets{net(0.50, 10), net(0.12, 40), net(0.11, 400), net(0.10, 4000)};
  EXPECT_EQ(pick(nets, Pick::knee, {}), 1U);
  EXPECT_EQ(pick(std::vector{net(0.5, 10), net(0.5, 100)}, Pick::knee, {}), 0U) << "a flat front";
  const std::vector<Candidate> wide{net(0.5, 10), net(0.26, 100), net(0.172, 300), net(0.1, 1000)};
  EXPECT_EQ(pick(wide, Pick::knee, {}), 1U)
      << "by how many times a net is larger counts, not by how many weights";
}

TEST(PickNet, BudgetsAreKept) {
  const std::vector<Candidate> nets{net(0.3, 10), net(0.2, 20), net(0.1, 30)};
  EXPECT_EQ(pick(nets, Pick::best, {.parameters = 29}), 1U);
  EXPECT_EQ(pick(nets, Pick::best, {.parameters = 30}), 2U);
  EXPECT_EQ(pick(nets, Pick::best, {.bytes = 140}), 0U);
  EXPECT_EQ(pick(nets, Pick::best, {.parameters = 9}), std::nullopt);
  EXPECT_EQ(smallest_net(nets), 0U);
}

TEST(PickNet, WhereAllFailedOneIsNamedAllTheSame) {
  const std::vector<Candidate> nets{net(std::nan(""), 20), net(std::nan(""), 10)};
  for (const Pick rule : {Pick::best, Pick::smallest, Pick::knee}) EXPECT_EQ(pick(nets, rule, {}), 1U);
  const std::vector<Candidate> one_left{net(std::nan(""), 20), net(0.9, 30)};
  for (const Pick rule : {Pick::best, Pick::smallest, Pick::knee}) EXPECT_EQ(pick(one_left, rule, {}), 1U);
}

}  // namespace
}  // namespace coppice
