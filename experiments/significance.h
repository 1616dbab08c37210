#pragma once

#include <cstddef>
#include <span>

// Tests that a claim is judged by. All are two-sided unless they say otherwise.
namespace coppice::experiments {

/// What a test of two samples says.
struct Difference {
  double p = 1;
  double share = 0.5;  ///< effect size: the share of pairs in which the second is larger, ties counted half
};

/// Rank sums (Mann-Whitney). Exact, ties included, up to 64 numbers; then by the normal distribution.
Difference mann_whitney(std::span<const double> first, std::span<const double> second);

/// Signed ranks of pairs (Wilcoxon), pairs without a difference left out; exact up to 64 of them. Fails on samples of
/// different sizes. The share is that of the pairs.
Difference signed_rank(std::span<const double> first, std::span<const double> second);

/// How likely so few successes, or so many, are where each has this probability: one-sided.
double at_most(std::size_t successes, std::size_t trials, double probability);
double at_least(std::size_t successes, std::size_t trials, double probability);

/// Whether successes come more often one way than not: binomial with a half.
double sign_test(std::size_t successes, std::size_t trials);

/// Whether two shares differ, each of so many trials; by the normal distribution, pooled.
double shares_test(double first, double first_trials, double second, double second_trials);

}  // namespace coppice::experiments
