#include "coppice/data/folds.h"

#include "coppice/core/fail.h"
#include "coppice/core/random.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace coppice {

namespace {

using Places = std::vector<std::uint32_t>;  ///< indices into the rows that are split

/// Places of rows by what they belong to, in the order of those values; one set if there are none.
std::vector<Places> places_by(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> values) {
  std::map<std::uint32_t, Places> sets;
  for (std::uint32_t i = 0; i < rows.size(); ++i) sets[values.empty() ? 0 : values[rows[i]]].push_back(i);
  std::vector<Places> result;
  for (auto& [value, places] : sets) result.push_back(std::move(places));
  return result;
}

void require_folds(std::size_t parts, std::size_t count, const char* what) {
  if (count > 0 && parts >= count) return;
  fail("cannot make {} folds of {} {}{}: every fold needs one; ask for fewer folds or add rows", count, parts,
       what, parts == 1 ? "" : "s");
}

/// Deals the shuffled rows of one stratum after the other, each fold in turn.
std::vector<std::uint32_t> deal(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> strata,
                                std::size_t count, Random& random) {
  std::vector<std::uint32_t> folds(rows.size());
  std::size_t next = 0;
  for (Places& stratum : places_by(rows, strata)) {
    random.shuffle(stratum);
    for (const std::uint32_t place : stratum) folds[place] = static_cast<std::uint32_t>(next++ % count);
  }
  return folds;
}

/// Folds of groups that are still being filled.
class Filling {
 public:
  Filling(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> strata, std::size_t count)
      : stratum_(rows.size()), sizes_(count) {
    const std::vector<Places> sets = places_by(rows, strata);
    for (std::uint32_t s = 0; s < sets.size(); ++s) {
      totals_.push_back(static_cast<double>(sets[s].size()));
      for (const std::uint32_t place : sets[s]) stratum_[place] = s;
    }
    counts_.assign(count, std::vector<double>(sets.size()));
  }

  /// Puts a group where it adds least to the sum of squared shares, of all rows and of each stratum, in a fold.
  std::uint32_t add(const Places& group) {
    std::vector<double> cost(sizes_.size());
    for (std::size_t f = 0; f < cost.size(); ++f) {
      cost[f] = sizes_[f] * static_cast<double>(group.size()) / static_cast<double>(stratum_.size());
      for (const std::uint32_t place : group)
        cost[f] += counts_[f][stratum_[place]] / totals_[stratum_[place]];
    }
    const auto best = static_cast<std::uint32_t>(std::ranges::min_element(cost) - cost.begin());
    sizes_[best] += static_cast<double>(group.size());
    for (const std::uint32_t place : group) ++counts_[best][stratum_[place]];
    return best;
  }

 private:
  std::vector<std::uint32_t> stratum_;  ///< of each place
  std::vector<double> totals_;          ///< rows of each stratum
  std::vector<double> sizes_;           ///< rows of each fold
  std::vector<std::vector<double>> counts_;
};

}  // namespace

std::vector<std::uint32_t> assign_folds(std::span<const std::uint32_t> rows, const SplitBy& by,
                                        std::size_t count, std::uint64_t seed, std::uint32_t stream) {
  Random random(seed, Purpose::split, stream);
  if (by.groups.empty()) {
    require_folds(rows.size(), count, "row");
    return deal(rows, by.strata, count, random);
  }
  std::vector<Places> groups = places_by(rows, by.groups);
  require_folds(rows.empty() ? 0 : groups.size(), count, "group");
  random.shuffle(groups);
  std::ranges::stable_sort(groups, std::greater{}, &Places::size);
  Filling filling(rows, by.strata, count);
  std::vector<std::uint32_t> folds(rows.size());
  for (const Places& group : groups) {
    const std::uint32_t fold = filling.add(group);
    for (const std::uint32_t place : group) folds[place] = fold;
  }
  return folds;
}

std::vector<std::uint32_t> quantile_strata(std::span<const float> values, std::size_t count) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t row) { return values[row]; });
  std::vector<std::uint32_t> strata(values.size());
  std::size_t first = 0;  // rank of the first of equal values
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    if (values[order[rank]] != values[order[first]]) first = rank;
    strata[order[rank]] = static_cast<std::uint32_t>(first * count / values.size());
  }
  return strata;
}

}  // namespace coppice
