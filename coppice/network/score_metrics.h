#pragma once

#include "coppice/core/choices.h"
#include "coppice/core/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// What the scores of many rows say together. Weights: one per row; empty: all count the same.
namespace coppice {

/// How often a class was right, answered, and both; by weight.
struct ClassCount {
  double actual = 0;
  double predicted = 0;
  double right = 0;

  // NaN where there is nothing to divide by.
  double precision() const { return right / predicted; }
  double recall() const { return right / actual; }
  double f1() const { return 2 * right / (actual + predicted); }
};

/// One per class, and a last one for labels outside the classes, which are never right.
std::vector<ClassCount> count_classes(std::span<const std::uint32_t> labels,
                                      std::span<const std::uint32_t> predicted,
                                      std::span<const float> weights, std::size_t classes);

/// Mean over the classes that occur of the share of their rows that are wrong; labels outside the classes are one more.
double balanced_error(std::span<const ClassCount> counts);

/// Of the second of two classes; of more, the mean over those that occur or are answered. 0 where none is right.
double f1_score(std::span<const ClassCount> counts);

/// Chance that a positive row has a higher score than a negative one, ties counting half; NaN without rows of both kinds
/// and where a score is NaN.
double auc(std::span<const double> scores, std::span<const std::uint8_t> positive,
           std::span<const float> weights);

/// The same of classes. Two: how far the second class's score is above the first's. More: each by its probability
/// against the rest, the mean weighted by the classes' shares. Rows of labels outside the classes are left out.
double auc_of_classes(const Matrix<float>& scores, std::span<const std::uint32_t> labels,
                      std::span<const float> weights, double temperature = 1);

/// Index of the largest score of each row, ties to the first.
std::vector<std::uint32_t> best_classes(const Matrix<float>& scores);

/// Whether a metric needs the scores of all rows; a sum over rows tells the others.
constexpr bool needs_scores(Metric metric) {
  return metric == Metric::auc || metric == Metric::balanced_error || metric == Metric::f1 ||
         metric == Metric::mae;
}

/// What a net says about rows, base rate included, and what is right: labels, or targets of a single output.
struct ScoredRows {
  const Matrix<float>& scores;
  std::span<const std::uint32_t> labels = {};
  std::span<const float> targets = {};
  std::span<const float> weights = {};
};

/// Such a metric as a number of which less is better. An area that is not defined, for want of rows of two classes, counts
/// as one half.
double score_criterion(Metric metric, const ScoredRows& rows);

}  // namespace coppice
