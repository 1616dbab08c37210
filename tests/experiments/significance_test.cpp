#include "experiments/significance.h"

#include "tests/support.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <vector>

namespace coppice::experiments {
namespace {

using ::testing::HasSubstr;

/// The same by trying every way of choosing who is second.
double p_by_trying_all(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> all = first;
  all.insert(all.end(), second.begin(), second.end());
  const auto wins = [&](const std::vector<bool>& is_second) {
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < all.size(); ++j)
        if (is_second[i] && !is_second[j]) sum += all[i] > all[j] ? 1 : all[i] == all[j] ? 0.5 : 0;
    return std::abs(sum - static_cast<double>(first.size() * second.size()) / 2);
  };
  std::vector<bool> chosen(all.size());  // false comes before true: the first of all permutations
  std::fill(chosen.begin() + static_cast<std::ptrdiff_t>(first.size()), chosen.end(), true);
  const double found = wins(chosen);
  double far = 0;
  double ways = 0;
  do {
    ++ways;
    if (wins(chosen) >= found - 1e-9) ++far;
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return far / ways;
}

TEST(MannWhitney, IsExactWithAndWithoutTies) {
  for (const auto& [first, second] :
       {std::pair(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6, 7}),
        std::pair(std::vector<double>{1, 2, 2, 5}, std::vector<double>{2, 3, 3}),
        std::pair(std::vector<double>{3, 1, 4, 1, 5}, std::vector<double>{9, 2, 6, 5})}) {
    EXPECT_NEAR(mann_whitney(first, second).p, p_by_trying_all(first, second), 1e-12);
  }
}

TEST(MannWhitney, KnowsPublishedValues) {
  const std::vector<double> low{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::vector<double> high = low;
  for (double& value : high) value += 10;
  EXPECT_NEAR(mann_whitney(low, high).p, 2.0 / 184756, 1e-12) << "1 way of C(20, 10), on either side";
  EXPECT_EQ(mann_whitney(low, high).share, 1);
  EXPECT_EQ(mann_whitney(high, low).share, 0);
  EXPECT_NEAR(mann_whitney(low, low).p, 1, 1e-12);
  EXPECT_EQ(mann_whitney(low, low).share, 0.5);
  EXPECT_EQ(mann_whitney({}, low).p, 1);
}

TEST(MannWhitney, OfManyNumbersIsCloseToTheExactOne) {
  std::vector<double> first(33);
  std::vector<double> second(31);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = std::fmod(7.1 * static_cast<double>(i), 10);
  for (std::size_t i = 0; i < second.size(); ++i)
    second[i] = 1.5 + std::fmod(3.3 * static_cast<double>(i), 10);
  const Difference exact = mann_whitney(first, second);
  second.push_back(1.5 + 5);
  const Difference normal = mann_whitney(first, second);
  EXPECT_NEAR(normal.p, exact.p, 0.02);
  EXPECT_NEAR(normal.share, exact.share, 0.01);
  EXPECT_LT(exact.p, 0.2);
}

TEST(SignedRank, IsExact) {
  const std::vector<double> zeros(5);
  EXPECT_NEAR(signed_rank(zeros, std::vector<double>{1, 2, 3, 4, 5}).p, 2.0 / 32, 1e-12);
  EXPECT_NEAR(signed_rank(zeros, std::vector<double>{-1, 2, 3, 4, 5}).p, 4.0 / 32, 1e-12);
  EXPECT_NEAR(signed_rank(zeros, std::vector<double>{-3, 1, 2, 4, 5}).p, 10.0 / 32, 1e-12);
  EXPECT_NEAR(signed_rank(zeros, std::vector<double>{-3, 1, 2, 4, 5}).share, 0.8, 1e-12);
  EXPECT_EQ(signed_rank(zeros, zeros).p, 1);
  EXPECT_NEAR(signed_rank(zeros, std::vector<double>{0, 0, 1, 2, 3}).p, 2.0 / 8, 1e-12) << "pairs alike";
  EXPECT_THAT(test::message_of([&] { signed_rank(zeros, std::vector<double>{1}); }), HasSubstr("5 and 1"));
}

TEST(Binomial, TailsAndSigns) {
  EXPECT_NEAR(at_most(0, 10, 0.5), 1.0 / 1024, 1e-12);
  EXPECT_NEAR(at_least(9, 10, 0.5), 11.0 / 1024, 1e-12);
  EXPECT_NEAR(at_most(2, 5, 0.3), 0.83692, 1e-5);
  EXPECT_NEAR(at_most(10, 10, 0.2), 1, 1e-12);
  EXPECT_NEAR(sign_test(10, 10), 2.0 / 1024, 1e-12);
  EXPECT_NEAR(sign_test(1, 10), 22.0 / 1024, 1e-12);
  EXPECT_EQ(sign_test(5, 10), 1);
  EXPECT_EQ(sign_test(1, 1), 1);
}

TEST(Shares, DifferByTheirTrials) {
  EXPECT_NEAR(shares_test(0.4, 100, 0.6, 100), 0.004678, 1e-5);
  EXPECT_GT(shares_test(0.0170, 10'000, 0.0171, 10'000), 0.9);
  EXPECT_EQ(shares_test(0, 100, 0, 100), 1);
}

}  // namespace
}  // namespace coppice::experiments
