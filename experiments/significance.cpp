#include "experiments/significance.h"

#include "coppice/core/fail.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace coppice::experiments {

namespace {

constexpr std::size_t exact_limit = 64;

/// Twice the mean ranks, so that those of ties are whole.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<std::size_t> ranks(values.size());
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (std::size_t i = from; i < to; ++i) ranks[order[i]] = from + to + 1;
  }
  return ranks;
}

/// Of the sums that chance gives, weighted by `ways`, the share at least as far from their mean as the one that was found.
double as_far(const std::vector<double>& ways, double mean, double found) {
  constexpr double rounding = 1e-9;
  double all = 0;
  double far = 0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    all += ways[sum];
    if (std::abs(static_cast<double>(sum) - mean) + rounding >= std::abs(found - mean)) far += ways[sum];
  }
  return far / all;
}

/// In how many ways `count` of the ranks have each sum.
std::vector<double> sums_of_some(const std::vector<std::size_t>& ranks, std::size_t count) {
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<std::vector<double>> ways(count + 1, std::vector<double>(total + 1));
  ways[0][0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t k = count; k > 0; --k) {
      for (std::size_t sum = total; sum + 1 > rank; --sum) ways[k][sum] += ways[k - 1][sum - rank];
    }
  }
  return ways[count];
}

/// In how many ways any of the ranks have each sum.
std::vector<double> sums_of_any(const std::vector<std::size_t>& ranks) {
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<double> ways(total + 1);
  ways[0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t sum = total; sum + 1 > rank; --sum) ways[sum] += ways[sum - rank];
  }
  return ways;
}

double two_sided(double deviations) {
  return std::erfc(std::abs(deviations) / std::sqrt(2.0));
}

/// log of the probability of exactly so many.
double log_binomial(std::size_t successes, std::size_t trials, double probability) {
  const auto k = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  const auto times = [](double count, double log) { return count > 0 ? count * log : 0.0; };
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + times(k, std::log(probability)) +
         times(n - k, std::log1p(-probability));
}

}  // namespace

Difference mann_whitney(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty()) return {};
  std::vector<double> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  const std::vector<std::size_t> ranks = doubled_ranks(all);
  const auto n = static_cast<double>(first.size());
  const auto m = static_cast<double>(second.size());
  double found = 0;  // twice the rank sum of the second
  for (std::size_t i = first.size(); i < ranks.size(); ++i) found += static_cast<double>(ranks[i]);
  const double mean = m * (n + m + 1);
  const double share = (found / 2 - m * (m + 1) / 2) / (n * m);
  if (all.size() <= exact_limit)
    return {.p = as_far(sums_of_some(ranks, second.size()), mean, found), .share = share};
  double squares = 0;  // of the doubled ranks' distances from their mean
  for (const std::size_t rank : ranks) squares += std::pow(static_cast<double>(rank) - (n + m + 1), 2);
  const double variance = n * m * squares / ((n + m) * (n + m - 1));
  return {.p = variance > 0 ? two_sided((found - mean) / std::sqrt(variance)) : 1, .share = share};
}

Difference signed_rank(std::span<const double> first, std::span<const double> second) {
  if (first.size() != second.size())
    fail("pairs need as many numbers on both sides, not {} and {}", first.size(), second.size());
  std::vector<double> lengths;
  std::vector<bool> positive;
  double larger = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double difference = second[i] - first[i];
    larger += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
    if (difference == 0) continue;
    lengths.push_back(std::abs(difference));
    positive.push_back(difference > 0);
  }
  Difference result;
  if (lengths.empty()) return result;
  result.share = larger / static_cast<double>(first.size());
  const std::vector<std::size_t> ranks = doubled_ranks(lengths);
  double found = 0;
  double total = 0;
  double squares = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto rank = static_cast<double>(ranks[i]);
    found += positive[i] ? rank : 0;
    total += rank;
    squares += rank * rank;
  }
  result.p = ranks.size() <= exact_limit ? as_far(sums_of_any(ranks), total / 2, found)
                                         : two_sided((found - total / 2) / std::sqrt(squares / 4));
  return result;
}

double at_most(std::size_t successes, std::size_t trials, double probability) {
  double sum = 0;
  for (std::size_t k = 0; k <= successes; ++k) sum += std::exp(log_binomial(k, trials, probability));
  return std::min(1.0, sum);
}

double at_least(std::size_t successes, std::size_t trials, double probability) {
  return at_most(trials - successes, trials, 1 - probability);
}

double sign_test(std::size_t successes, std::size_t trials) {
  return std::min(1.0, 2 * std::min(at_most(successes, trials, 0.5), at_least(successes, trials, 0.5)));
}

double shares_test(double first, double first_trials, double second, double second_trials) {
  const double pooled = (first * first_trials + second * second_trials) / (first_trials + second_trials);
  const double variance = pooled * (1 - pooled) * (1 / first_trials + 1 / second_trials);
  return variance > 0 ? two_sided((second - first) / std::sqrt(variance)) : 1;
}

}  // namespace coppice::experiments
