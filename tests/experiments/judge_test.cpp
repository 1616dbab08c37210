#include "experiments/judge.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::HasSubstr;

/// Six numbers around one.
std::vector<double> around(double value) {
  std::vector<double> values;
  for (int i = -3; i < 3; ++i) values.push_back(value * (1 + 0.002 * i));
  return values;
}

TEST(Judge, LowerMustBeShownEverywhereAndTheOppositeSomewhere) {
  const Compared yes{"yes", around(1), around(2)};
  const Compared no{"no", around(2), around(1)};
  const Compared even{"even", around(1), around(1)};
  EXPECT_EQ(lower_everywhere({yes, yes}).verdict, Verdict::holds);
  EXPECT_EQ(lower_everywhere({yes, even}).verdict, Verdict::undecided);
  EXPECT_EQ(lower_everywhere({yes, no}).verdict, Verdict::fails);
  EXPECT_EQ(lower_everywhere({}).verdict, Verdict::undecided);
  EXPECT_EQ(lower_everywhere({{"", {1}, {2}}}).verdict, Verdict::undecided) << "one number each says nothing";
  EXPECT_EQ(lower_in_pairs({yes}).verdict, Verdict::holds);
  EXPECT_EQ(lower_in_pairs({no}).verdict, Verdict::fails);
  EXPECT_EQ(lower_everywhere({yes, no}).test,
            "Mann-Whitney: yes: lower in 100 % of pairs, p 0.0022; no: lower in 0 % of pairs, p 0.0022");
}

/// Of many comparisons one says the opposite by chance sooner or later.
TEST(Judge, TheOppositeIsHeldAgainstTheNumberOfComparisons) {
  const Compared weak{"", {2.6, 3, 4, 5, 6}, {1, 2.5, 1.5, 3.5, 0.5}};  // p 0.03
  const Compared even{"", around(1), around(1)};
  EXPECT_EQ(lower_everywhere({weak}).verdict, Verdict::fails);
  EXPECT_EQ(lower_everywhere({weak, even}).verdict, Verdict::undecided);
}

TEST(Judge, AlikeMustBeShownToo) {
  EXPECT_EQ(alike_everywhere({{"", around(1), around(1.05)}}, 0.1).verdict, Verdict::holds);
  EXPECT_EQ(alike_everywhere({{"", around(1), around(0.95)}}, 0.1).verdict, Verdict::holds);
  EXPECT_EQ(alike_everywhere({{"", around(1), around(1.2)}}, 0.1).verdict, Verdict::fails);
  EXPECT_EQ(alike_everywhere({{"", around(1), around(0.8)}}, 0.1).verdict, Verdict::fails);
  EXPECT_EQ(alike_everywhere({{"", around(1), around(1.1)}}, 0.1).verdict, Verdict::undecided);
  EXPECT_EQ(alike_everywhere({{"", {1, 1}, {1, 1}}}, 0.1).verdict, Verdict::undecided) << "too few";
  EXPECT_EQ(alike_everywhere({{"", around(1), around(1)}, {"", around(1), around(1.2)}}, 0.1).verdict,
            Verdict::fails);
  EXPECT_EQ(alike_in_pairs({{"", around(1), around(1.05)}}, 0.1).verdict, Verdict::holds);
  EXPECT_EQ(alike_in_pairs({{"", around(1), around(1.2)}}, 0.1).verdict, Verdict::fails);
}

/// Most pairs are enough where chance would not give them; a rule about nothing decides nothing.
TEST(Judge, LowerNeedNotBeSoInEveryPair) {
  Compared most;
  for (int i = 0; i < 10; ++i) {
    most.first.push_back(i);
    most.second.push_back(i + 3.5);
  }
  EXPECT_THAT(lower_everywhere({most}).test, HasSubstr("lower in 79 % of pairs"));
  EXPECT_EQ(lower_everywhere({most}).verdict, Verdict::holds);
  EXPECT_EQ(alike_everywhere({}, 0.1).verdict, Verdict::undecided);
  EXPECT_EQ(all_of({}).verdict, Verdict::undecided);
}

/// Each limit is asked in one direction; beyond it, every comparison is asked.
TEST(Judge, AlikeIsHeldAgainstHalfAChanceAndBeyondAgainstTheNumberOfComparisons) {
  const std::vector<double> three{0.999, 1, 1.001};
  const Compared same{"", three, {0.998, 1, 1.001, 1.002}};
  EXPECT_THAT(alike_everywhere({same}, 0.1).test, HasSubstr("within 10 %: p 0.029;"))
      << "2 of 35 would be 0.057";
  EXPECT_EQ(alike_everywhere({same}, 0.1).verdict, Verdict::holds);
  const Compared other{"", three, {2, 2.1, 2.2, 2.3, 2.4}};  // 2 of 56, 0.036
  EXPECT_EQ(alike_everywhere({other}, 0.1).verdict, Verdict::fails);
  EXPECT_EQ(alike_everywhere({other, same}, 0.1).verdict, Verdict::undecided);
}

TEST(Judge, PairsAreComparedAsPairs) {
  const Compared shifted{"", {1, 2, 3, 4, 5, 6, 7, 8}, {1.1, 2.11, 3.12, 4.13, 5.14, 6.15, 7.16, 8.17}};
  EXPECT_EQ(lower_in_pairs({shifted}).verdict, Verdict::holds);
  EXPECT_EQ(lower_everywhere({shifted}).verdict, Verdict::undecided) << "of groups nothing is shown";
  EXPECT_EQ(alike_in_pairs({shifted}, 0.2).verdict, Verdict::holds);
  EXPECT_EQ(alike_everywhere({shifted}, 0.2).verdict, Verdict::undecided);
}

TEST(Judge, SharesAreComparedWithLimitsAndWithEachOther) {
  EXPECT_EQ(share_below("", 5, 1000, 0.01).verdict, Verdict::undecided);
  EXPECT_EQ(share_below("", 1, 1000, 0.01).verdict, Verdict::holds);
  EXPECT_EQ(share_below("", 30, 1000, 0.01).verdict, Verdict::fails);
  EXPECT_EQ(share_above("", 30, 1000, 0.01).verdict, Verdict::holds);
  EXPECT_EQ(share_above("", 1, 1000, 0.01).verdict, Verdict::fails);
  EXPECT_EQ(share_lower("", {0.1, 1000}, {0.2, 1000}).verdict, Verdict::holds);
  EXPECT_EQ(share_lower("", {0.2, 1000}, {0.1, 1000}).verdict, Verdict::fails);
  EXPECT_EQ(share_lower("", {0.1, 100}, {0.11, 100}).verdict, Verdict::undecided);
}

TEST(Judge, RunsAreCounted) {
  EXPECT_EQ(shown_by_runs(10, 10).verdict, Verdict::holds);
  EXPECT_EQ(shown_by_runs(0, 10).verdict, Verdict::fails);
  EXPECT_EQ(shown_by_runs(7, 10).verdict, Verdict::undecided);
  EXPECT_EQ(shown_by_runs(3, 3).verdict, Verdict::undecided) << "three could be chance";
  EXPECT_EQ(shown_by_runs(1, 1).verdict, Verdict::holds);
  EXPECT_EQ(shown_by_runs(0, 1).verdict, Verdict::fails);
  EXPECT_THAT(shown_by_runs(1, 1).test, HasSubstr("one run"));
}

TEST(Judge, AllOfSomeParts) {
  const Judged yes = by_rule(true, "a");
  const Judged no = by_rule(false, "b");
  const Judged open{Verdict::undecided, "c"};
  EXPECT_EQ(all_of({yes, yes}).verdict, Verdict::holds);
  EXPECT_EQ(all_of({yes, open}).verdict, Verdict::undecided);
  EXPECT_EQ(all_of({open, no, yes}).verdict, Verdict::fails);
  EXPECT_EQ(all_of({open, no}).test, "c; b");
  EXPECT_STREQ(word_of(Verdict::fails), "does not");
}

}  // namespace
}  // namespace coppice::experiments
