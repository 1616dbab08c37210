#include "coppice/network/score_metrics.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

#include <rapidcheck/gtest.h>

namespace coppice {
namespace {

using Labels = std::vector<std::uint32_t>;

/// Over all pairs of rows, one of each kind.
double auc_by_pairs(const std::vector<double>& scores, const std::vector<std::uint8_t>& positive,
                    const std::vector<float>& weights) {
  double above = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (positive[i] == 0 || positive[j] != 0) continue;
      const double both = weights.empty() ? 1.0 : static_cast<double>(weights[i]) * weights[j];
      pairs += both;
      above += scores[i] > scores[j] ? both : scores[i] == scores[j] ? both / 2 : 0;
    }
  }
  return above / pairs;
}

RC_GTEST_PROP(Auc, IsTheShareOfPairsInTheRightOrder, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(2, 40);
  const auto raw = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 8));  // many ties
  const auto positive =
      *rc::gen::container<std::vector<std::uint8_t>>(count, rc::gen::inRange<std::uint8_t>(0, 2));
  const bool weighted = *rc::gen::arbitrary<bool>();
  const auto whole = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 4));
  std::vector<double> scores(raw.begin(), raw.end());
  std::vector<float> weights;
  for (const int weight : whole) {
    if (weighted) weights.push_back(static_cast<float>(weight) / 2);
  }
  const double expected = auc_by_pairs(scores, positive, weights);
  const double found = auc(scores, positive, weights);
  RC_ASSERT(std::isnan(expected) == std::isnan(found));
  if (!std::isnan(expected)) RC_ASSERT(std::abs(expected - found) < 1e-12);
}

TEST(Auc, OfNumbersThatAreNoneIsNone) {
  EXPECT_TRUE(std::isnan(auc(std::vector{0.5, std::nan("")}, std::vector<std::uint8_t>{0, 1}, {})));
  EXPECT_TRUE(std::isnan(auc(std::vector{0.5, 0.6}, std::vector<std::uint8_t>{1, 1}, {})));
}

Matrix<float> matrix_of(const std::vector<std::vector<float>>& rows) {
  Matrix<float> matrix(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], matrix.row(i).begin());
  return matrix;
}

TEST(Auc, OfSeveralClassesIsEachAgainstTheRestByItsShare) {
  const Matrix<float> scores =
      matrix_of({{2, 0, 0}, {1, 1, 0}, {0, 2, 1}, {0, 1, 2}, {1, 0, 1}, {0, 0, 3}, {9, 9, 9}});
  const Labels labels{0, 0, 1, 1, 2, 2, 3};  // the last is left out
  const std::vector<float> weights{1, 2, 1, 1, 3, 1, 5};
  double expected = 0;
  const std::vector<double> shares{3, 2, 4};
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> p;
    std::vector<std::uint8_t> positive;
    for (std::size_t i = 0; i < 6; ++i) {
      double total = 0;
      for (std::size_t j = 0; j < 3; ++j) total += std::exp(static_cast<double>(scores(i, j)) / 2);
      p.push_back(std::exp(static_cast<double>(scores(i, k)) / 2) / total);
      positive.push_back(labels[i] == k ? 1 : 0);
    }
    expected += shares[k] / 9 * auc_by_pairs(p, positive, {1, 2, 1, 1, 3, 1});
  }
  EXPECT_NEAR(auc_of_classes(scores, labels, weights, 2), expected, 1e-12);
}

TEST(ClassCounts, ByHand) {
  // actual 0: two right, one taken for 2; actual 1: wrong; a label never seen, taken for 0
  const Labels labels{0, 0, 0, 1, 3};
  const Labels predicted{0, 0, 2, 0, 0};
  const std::vector<ClassCount> counts = count_classes(labels, predicted, {}, 3);
  ASSERT_EQ(counts.size(), 4U);
  EXPECT_DOUBLE_EQ(counts[0].precision(), 2.0 / 4);
  EXPECT_DOUBLE_EQ(counts[0].recall(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(counts[0].f1(), 2 * 0.5 * (2.0 / 3) / (0.5 + 2.0 / 3));
  EXPECT_TRUE(std::isnan(counts[1].precision()));
  EXPECT_EQ(counts[1].recall(), 0);
  EXPECT_TRUE(std::isnan(counts[2].recall()));
  EXPECT_DOUBLE_EQ(balanced_error(counts), (1.0 / 3 + 1 + 1) / 3) << "what was never seen is a class, too";
  EXPECT_DOUBLE_EQ(f1_score(counts), (counts[0].f1() + 0 + 0) / 3);
  const std::vector<ClassCount> weighted =
      count_classes(labels, predicted, std::vector<float>{2, 2, 1, 1, 1}, 3);
  EXPECT_DOUBLE_EQ(weighted[0].recall(), 4.0 / 5);
}

TEST(ClassCounts, TheF1OfTwoClassesIsTheSeconds) {
  const std::vector<ClassCount> counts =
      count_classes(Labels{0, 0, 0, 1, 1, 1}, Labels{0, 0, 1, 1, 1, 0}, {}, 2);
  EXPECT_DOUBLE_EQ(f1_score(counts), 2.0 / 3);
  const std::vector<ClassCount> none = count_classes(Labels{0, 1}, Labels{0, 0}, {}, 2);
  EXPECT_EQ(f1_score(none), 0);
}

TEST(ScoreCriterion, IsLessWhereScoresAreBetter) {
  const Matrix<float> scores = matrix_of({{1, 0}, {0, 1}, {0.6F, 0.5F}, {0, 2}});
  const Labels labels{0, 1, 1, 1};
  EXPECT_DOUBLE_EQ(score_criterion(Metric::auc, {.scores = scores, .labels = labels}), 0);
  EXPECT_DOUBLE_EQ(score_criterion(Metric::balanced_error, {.scores = scores, .labels = labels}), 1.0 / 6);
  EXPECT_DOUBLE_EQ(score_criterion(Metric::f1, {.scores = scores, .labels = labels}), 1 - 4.0 / 5);
  EXPECT_DOUBLE_EQ(score_criterion(Metric::auc, {.scores = scores, .labels = Labels(4, 1)}), 0.5)
      << "nothing to tell apart";
  const std::vector<float> targets{0, 0, 0, 4};
  const std::vector<float> weights{1, 1, 1, 2};
  EXPECT_NEAR(score_criterion(Metric::mae, {.scores = scores, .targets = targets, .weights = weights}),
              (1 + 0 + 0.6 + 2 * 4) / 5, 1e-7);
}

TEST(ScoreCriterion, ScoresMayBeLargerThanTheirExponentialsCan) {
  const Matrix<float> scores = matrix_of({{900, 0, 1}, {0, 901, 0}, {-3, 1, 905}, {2, 0, 0}});
  EXPECT_DOUBLE_EQ(score_criterion(Metric::auc, {.scores = scores, .labels = Labels{0, 1, 2, 0}}), 0);
}

}  // namespace
}  // namespace coppice
