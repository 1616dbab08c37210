#include "coppice/model/conformity.h"

#include "coppice/core/elementary.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace coppice {

namespace {

/// The next of the levels whose scores are kept, in thousandths.
std::size_t next_level(std::size_t level) {
  if (level < 500) return level + 50;
  return level + (level < 990 ? 10 : 1);
}

}  // namespace

double Conformity::spread(double answer) const {
  if (answers.empty()) return 1;
  const auto above = static_cast<std::size_t>(std::ranges::upper_bound(answers, answer) - answers.begin());
  if (above == 0) return errors.front();
  if (above == answers.size()) return errors.back();
  const double share = (answer - answers[above - 1]) / (answers[above] - answers[above - 1]);
  return errors[above - 1] + share * (errors[above] - errors[above - 1]);
}

std::size_t Conformity::rank_of(double level) const {
  constexpr double rounding = 1e-9;  // 0.9 * 70 is 63, not a little more
  const double rank = std::ceil((level - rounding) * static_cast<double>(rows + 1));
  return static_cast<std::size_t>(std::max(1.0, rank));
}

double Conformity::score_at(std::size_t rank) const {
  const std::vector<std::size_t> ranks = kept_ranks(rows);
  return scores[static_cast<std::size_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin())];
}

bool Conformity::valid() const {
  const auto positive = [](double value) { return value > 0; };
  return scores.size() == kept_ranks(rows).size() && std::ranges::is_sorted(scores) &&
         (scores.empty() || scores.front() >= 0) && answers.size() == errors.size() &&
         std::ranges::adjacent_find(answers, std::greater_equal{}) == answers.end() &&
         std::ranges::all_of(errors, positive);
}

std::vector<std::size_t> kept_ranks(std::size_t rows) {
  std::vector<std::size_t> ranks;
  for (std::size_t level = next_level(0); level < 1000; level = next_level(level)) {
    const std::size_t rank = (level * (rows + 1) + 999) / 1000;  // rounded up
    if (rank < rows && (ranks.empty() || rank > ranks.back())) ranks.push_back(rank);
  }
  if (rows > 0) ranks.push_back(rows);
  return ranks;
}

double surprise(double probability) {
  constexpr double most = 1000;
  return std::clamp(-elementary::log(probability), 0.0, most);
}

}  // namespace coppice
