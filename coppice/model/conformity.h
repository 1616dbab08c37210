#pragma once

#include <cstddef>
#include <vector>

namespace coppice {

/// How wrong a model was on rows that it did not learn from; part of the model. A row's score is, for classes,
/// -log p(its class), and for numbers |answer - target| / spread(answer), in outputs of the network.
struct Conformity {
  std::size_t rows = 0;        ///< how many there were, or as many as their weights come to; 0: none
  std::vector<double> scores;  ///< those of kept_ranks(rows), rising, with few digits, rounded up
  // Numbers: how large errors are beside which answers. Between these it is linear, beyond them constant.
  std::vector<double> answers = {};  ///< rising; none: the same everywhere
  std::vector<double> errors = {};

  double spread(double answer) const;
  /// A new row scores no more than the score of this rank, from 1, with at least this probability.
  std::size_t rank_of(double level) const;
  /// The score of this rank, at most `rows`, or of the next one that is kept.
  double score_at(std::size_t rank) const;
  /// The highest level that has a rank among so many rows.
  double highest_level() const { return static_cast<double>(rows) / static_cast<double>(rows + 1); }
  /// Whether all of it fits together.
  bool valid() const;

  bool operator==(const Conformity&) const = default;
};

/// Ranks of the scores that a model keeps of so many: those that levels in steps of 0.05, from 0.5 on of 0.01 and from 0.99
/// on of 0.001 ask for, and the last one.
std::vector<std::size_t> kept_ranks(std::size_t rows);

/// The score of a class: -log p, and 1000 where that is more.
double surprise(double probability);

}  // namespace coppice
