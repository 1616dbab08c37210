#include "experiments/table2.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t hands = 100'000;  ///< tested on

PokerRow row(const char* algorithm, double lambda, double error) {
  return {.algorithm = algorithm, .lambda = lambda, .validation = error, .error = error};
}

/// Rows for which the paper is right in everything: nets with five seeds each.
std::vector<PokerRow> ideal_table() {
  std::vector<PokerRow> rows{row(linear_model, std::nan(""), 0.49), row(default_net, 1e-3, 0.39)};
  for (const double lambda : {1e-3, 1e-7}) {
    for (int seed = 0; seed < 5; ++seed) {
      const double more = 1e-6 * seed;
      rows.push_back(row(own_net, lambda, (lambda == 1e-3 ? 0.006 : 0) + more));
      rows.push_back(row(parametric_net, lambda, (lambda == 1e-3 ? 0.002 : 2e-5) + more));
    }
  }
  return rows;
}

/// What is not said to hold when the rows of an algorithm and a lambda have another error.
std::vector<std::string> broken_table(const char* algorithm, double lambda, double error,
                                      Verdict verdict = Verdict::fails) {
  std::vector<PokerRow> rows = ideal_table();
  for (PokerRow& row : rows) {
    const bool same = row.lambda == lambda || (std::isnan(row.lambda) && std::isnan(lambda));
    if (row.algorithm == algorithm && same) row.error = error;
  }
  std::vector<std::string> texts;
  for (const Claim& claim : table2_claims(rows, hands)) {
    if (claim.judged.verdict == Verdict::holds) continue;
    EXPECT_EQ(claim.judged.verdict, verdict) << claim.text;
    texts.push_back(claim.text);
  }
  return texts;
}

TEST(Table2Claims, AllHoldOfIdealRows) {
  EXPECT_THAT(broken_table("none", 1, 0), IsEmpty());
  const std::vector<Claim> claims = table2_claims(ideal_table(), hands);
  ASSERT_EQ(claims.size(), 6U);
  EXPECT_THAT(claims[4].measured, HasSubstr("lambda 0.001: 0.60 % and 0.20 %; lambda 1e-07: 0.00"));
  EXPECT_EQ(std::ranges::count(claims, true, &Claim::ours), 2);
}

TEST(Table2Claims, EachIsBrokenByWhatContradictsIt) {
  EXPECT_THAT(broken_table(linear_model, std::nan(""), 0.38), ElementsAre(HasSubstr("linear models")));
  EXPECT_THAT(broken_table(own_net, 1e-3, 0.02), ElementsAre(HasSubstr("less than 1 % of the hands")));
  EXPECT_THAT(broken_table(own_net, 1e-3, 0.001),
              ElementsAre(HasSubstr("worse than parametric ones where lambda is large")));
  EXPECT_THAT(broken_table(own_net, 1e-7, 3e-5), ElementsAre(HasSubstr("slightly better where it is small")));
  EXPECT_THAT(broken_table(parametric_net, 1e-7, 0.02),
              ElementsAre(HasSubstr("parametric nets of the same sizes")));
  EXPECT_THAT(broken_table(default_net, 1e-3, 0.42), ElementsAre(HasSubstr("every lambda learns")));
}

TEST(Table2Claims, WhatIsCloseToALimitIsUndecided) {
  EXPECT_THAT(broken_table(linear_model, std::nan(""), 0.4, Verdict::undecided),
              ElementsAre(HasSubstr("linear models")));
  EXPECT_THAT(broken_table(own_net, 1e-3, 0.01, Verdict::undecided),
              ElementsAre(HasSubstr("less than 1 % of the hands")));
}

TEST(Table2Claims, ATenthOfTheTreesErrorIsFarBetter) {
  const auto far_better = [](double error) {
    const std::vector<PokerRow> rows{row(linear_model, std::nan(""), 0.49), row(own_net, 1e-5, error),
                                     row(parametric_net, 1e-5, 0.2)};
    return table2_claims(rows, hands).at(3).judged.verdict;
  };
  EXPECT_EQ(far_better(0.025), Verdict::holds);
  EXPECT_EQ(far_better(0.0268), Verdict::undecided);
  EXPECT_EQ(far_better(0.029), Verdict::fails);
}

/// A page is written before all of its parts are there.
TEST(Table2Claims, LargeAndSmallAreAmongLambdasThatBothKindsHave) {
  std::vector<PokerRow> rows = ideal_table();
  std::erase_if(rows,
                [](const PokerRow& row) { return row.algorithm == parametric_net && row.lambda == 1e-3; });
  for (const Claim& claim : table2_claims(rows, hands))
    EXPECT_EQ(claim.text.find("where lambda is large"), std::string::npos);
}

TEST(Table2Claims, OfOneLambdaNothingIsSaidAboutLargeAndSmallOnes) {
  const std::vector<PokerRow> rows{row(linear_model, std::nan(""), 0.49), row(own_net, 1e-5, 0.001),
                                   row(parametric_net, 1e-5, 0.002)};
  EXPECT_EQ(table2_claims(rows, hands).size(), 4U);
}

/// With nets of the paper's sizes, patient nets and nets on MNIST.
std::vector<PokerRow> longer_table() {
  std::vector<PokerRow> rows = ideal_table();
  for (PokerRow& row : rows) row.settled = 0.3;
  for (int seed = 0; seed < 5; ++seed) {
    const double more = 1e-6 * seed;
    rows.push_back(row(published_size_net, 1e-3, 0.002 + more));
    for (const double error : {0.3, 0.005}) {
      rows.push_back(row(patient_net, 1e-3, error + more));
      rows.back().setting = error > 0.1 ? "alpha_phi 30" : "alpha_phi 300";
    }
    rows.push_back(row(mnist_net, 3e-4, 0.015));
    rows.back().settled = 0.5 + more;
  }
  return rows;
}

Verdict verdict_of(const std::vector<PokerRow>& rows, const std::string& part) {
  for (const Claim& claim : table2_claims(rows, hands))
    if (claim.text.find(part) != std::string::npos) return claim.judged.verdict;
  ADD_FAILURE() << part;
  return Verdict::undecided;
}

TEST(Table2Claims, OfThePapersSizesOfPatienceAndOfSettling) {
  const std::vector<PokerRow> rows = longer_table();
  EXPECT_EQ(verdict_of(rows, "sizes that the paper found"), Verdict::holds);
  EXPECT_EQ(verdict_of(rows, "patience of 50"), Verdict::holds) << "the better step by validation rows";
  EXPECT_EQ(verdict_of(rows, "settles in a smaller share"), Verdict::holds);
  std::vector<PokerRow> other = rows;
  for (PokerRow& row : other) {
    if (row.algorithm == published_size_net || row.algorithm == patient_net) row.error = 0.02;
    if (row.algorithm == mnist_net) row.settled = 0.1;
  }
  EXPECT_EQ(verdict_of(other, "sizes that the paper found"), Verdict::fails);
  EXPECT_EQ(verdict_of(other, "patience of 50"), Verdict::fails);
  EXPECT_EQ(verdict_of(other, "settles in a smaller share"), Verdict::fails);
  EXPECT_THAT(table2_details(rows), HasSubstr("| nonparametric net | 0.001 |"));
  EXPECT_EQ(table2_details(rows).find("MNIST"), std::string::npos);
}

TEST(Table2, ASizeHasSettledWhenItStaysWithinATenth) {
  NetHistory history;
  for (const std::size_t units : {10, 50, 108, 80, 109, 100, 100, 100, 95, 100}) {
    EpochRow epoch;
    epoch.hidden_units = {units / 2, units - units / 2};
    history.epochs.push_back(epoch);
  }
  EXPECT_DOUBLE_EQ(settled_after(history), 0.4) << "the last that is farther away is the fourth of ten";
  EXPECT_TRUE(std::isnan(settled_after({})));
}

/// Two nets tell nothing about two ways of training.
TEST(Table2Claims, OneSeedDoesNotCompareWaysOfTraining) {
  const std::vector<PokerRow> rows{row(linear_model, std::nan(""), 0.49), row(own_net, 1e-3, 0.006),
                                   row(own_net, 1e-7, 0), row(parametric_net, 1e-3, 0.002),
                                   row(parametric_net, 1e-7, 2e-5)};
  EXPECT_EQ(table2_claims(rows, hands).at(4).judged.verdict, Verdict::undecided);
}

}  // namespace
}  // namespace coppice::experiments
