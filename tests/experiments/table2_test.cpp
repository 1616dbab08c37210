#include "experiments/table2.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PokerRow row(const char* algorithm, double lambda, double error) {
  return {.algorithm = algorithm, .lambda = lambda, .error = error};
}

/// Rows for which the paper is right in everything.
std::vector<PokerRow> ideal_table() {
  return {
      row(linear_model, std::nan(""), 0.49), row(own_net, 1e-3, 0.006),       row(own_net, 1e-7, 0),
      row(parametric_net, 1e-3, 0.002),      row(parametric_net, 1e-7, 2e-5), row(default_net, 1e-3, 0.39)};
}

/// What does not hold when this row has another error.
std::vector<std::string> broken_table(std::size_t changed, double error) {
  std::vector<PokerRow> rows = ideal_table();
  rows[changed].error = error;
  std::vector<std::string> texts;
  for (const Claim& claim : table2_claims(rows))
    if (!claim.holds.value()) texts.push_back(claim.paper);
  return texts;
}

TEST(Table2Claims, AllHoldOfIdealRows) {
  EXPECT_THAT(broken_table(0, 0.49), IsEmpty());
  EXPECT_EQ(table2_claims(ideal_table()).size(), 6U);
  EXPECT_EQ(table2_claims(ideal_table())[4].measured,
            "lambda 0.001: 0.60 % and 0.20 %; lambda 1e-07: 0.00 % and 0.002 %");
}

TEST(Table2Claims, EachIsBrokenByWhatContradictsIt) {
  EXPECT_THAT(broken_table(0, 0.4), ElementsAre(HasSubstr("linear models")));
  EXPECT_THAT(broken_table(1, 0.01), ElementsAre(HasSubstr("less than 1 % of the hands")));
  EXPECT_THAT(broken_table(1, 0.001),
              ElementsAre(HasSubstr("worse than parametric ones where lambda is large")));
  EXPECT_THAT(broken_table(2, 3e-5), ElementsAre(HasSubstr("slightly better where it is small")));
  EXPECT_THAT(broken_table(4, 0.01), ElementsAre(HasSubstr("parametric nets of the same sizes")));
  EXPECT_THAT(broken_table(5, 0.4), ElementsAre(HasSubstr("every lambda learns")));
}

TEST(Table2Claims, ATenthOfTheTreesErrorIsFarBetter) {
  const auto far_better = [](double error) {
    const std::vector<PokerRow> rows{row(linear_model, std::nan(""), 0.49), row(own_net, 1e-5, error),
                                     row(parametric_net, 1e-5, 0.2)};
    return table2_claims(rows).at(3).holds.value();
  };
  EXPECT_TRUE(far_better(0.0267));
  EXPECT_FALSE(far_better(0.0269));
}

TEST(Table2Claims, OfOneLambdaNothingIsSaidAboutLargeAndSmallOnes) {
  EXPECT_EQ(table2_claims({ideal_table()[0], ideal_table()[1], ideal_table()[3]}).size(), 4U);
}

}  // namespace
}  // namespace coppice::experiments
