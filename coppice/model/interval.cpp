#include "coppice/model/interval.h"

#include "coppice/core/fail.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace coppice {

namespace {

/// The upper ends of numbers, for one row after another.
class Ends {
 public:
  Ends(const Conformity& conformity, std::size_t rank)
      : conformity_(conformity),
        ranks_(kept_ranks(conformity.rows)),
        rank_(rank),
        reach_(conformity.score_at(rank)) {}

  /// The least number that `rank` rows of each net, on average, do not exceed: sign * answer + score * spread(answer). With a
  /// sign of -1 it is the lower end, negative.
  double operator()(const std::vector<double>& answers, double sign) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const double answer : answers) {
      const double end = sign * answer + reach_ * conformity_.spread(answer);
      least = std::min(least, end);
      most = std::max(most, end);
    }
    std::size_t counted = count_below(answers, sign, least, most);
    std::ranges::sort(between_);
    for (const auto& [end, rows] : between_) {
      counted += rows;
      if (counted >= rank_ * answers.size()) return end;
    }
    return most;
  }

 private:
  /// All nets together end between where they end one by one; rows before that need no order.
  std::size_t count_below(const std::vector<double>& answers, double sign, double least, double most) {
    std::size_t below = 0;
    between_.clear();
    for (const double answer : answers) {
      const double spread = conformity_.spread(answer);
      for (std::size_t j = 0; j < ranks_.size(); ++j) {
        const double end = sign * answer + conformity_.scores[j] * spread;
        const std::size_t rows = ranks_[j] - (j > 0 ? ranks_[j - 1] : 0);
        if (end < least) below += rows;
        if (end >= least && end <= most) between_.emplace_back(end, rows);
      }
    }
    return below;
  }

  const Conformity& conformity_;
  std::vector<std::size_t> ranks_;
  std::size_t rank_;
  double reach_;                                         ///< of one net alone
  std::vector<std::pair<double, std::size_t>> between_;  ///< ends, and rows that have them
};

void add_bounds(Intervals& intervals, const ModelParts& model, const NetScores& nets, std::size_t rank) {
  const TargetColumn& target = model.encoding.target;
  Ends end_of(model.conformity, rank);
  std::vector<double> answers(nets.one_by_one.size());
  for (std::size_t i = 0; i < nets.averaged.rows(); ++i) {
    for (std::size_t n = 0; n < answers.size(); ++n) answers[n] = nets.one_by_one[n](i, 0);
    intervals.lower.push_back(target.value(-end_of(answers, -1)));
    intervals.upper.push_back(target.value(end_of(answers, 1)));
  }
}

void add_sets(Intervals& intervals, const ModelParts& model, const NetScores& nets, std::size_t rank) {
  const std::size_t classes = nets.averaged.cols();
  const std::vector<double>& kept = model.conformity.scores;
  const std::vector<std::size_t> ranks = kept_ranks(model.conformity.rows);
  std::vector<std::size_t> below(classes);
  for (std::size_t i = 0; i < nets.averaged.rows(); ++i) {
    std::ranges::fill(below, 0U);
    for (const Matrix<float>& scores : nets.one_by_one) {
      const std::vector<double> p = probabilities(scores.row(i), model.temperature);
      for (std::size_t k = 0; k < classes; ++k) {
        const auto less =
            static_cast<std::size_t>(std::ranges::lower_bound(kept, surprise(p[k])) - kept.begin());
        below[k] += less > 0 ? ranks[less - 1] : 0;
      }
    }
    const std::size_t likeliest = best_class(nets.averaged.row(i));
    for (std::size_t k = 0; k < classes; ++k)
      intervals.sets.push_back(k == likeliest || below[k] < rank * nets.one_by_one.size() ? 1 : 0);
  }
}

}  // namespace

std::optional<std::size_t> interval_rank(const ModelParts& model, const PredictOptions& options) {
  if (!options.interval) return std::nullopt;
  const double level = *options.interval;
  if (!(level > 0 && level < 1)) {
    fail_option("interval", "`interval` {:g}: the share of rows that it is to hold for lies between 0 and 1",
                level);
  }
  const Conformity& conformity = model.conformity;
  if (conformity.rows == 0) {
    fail_option(
        "interval",
        "`interval` {:g}: the model does not say how wrong it was on rows that it did not learn from, "
        "as those of earlier versions do not; train it again",
        level);
  }
  const std::size_t rank = conformity.rank_of(level);
  if (rank > conformity.rows) {
    fail_option("interval",
                "`interval` {:g}: the {} rows that the model did not learn from can tell of {:.4g} at most; "
                "ask for less, or train with more rows",
                level, conformity.rows, conformity.highest_level());
  }
  return rank;
}

Intervals intervals_of(const ModelParts& model, const NetScores& nets, std::size_t rank) {
  Intervals intervals;
  if (model.encoding.task == Task::regression) {
    add_bounds(intervals, model, nets, rank);
  } else {
    add_sets(intervals, model, nets, rank);
  }
  return intervals;
}

}  // namespace coppice
