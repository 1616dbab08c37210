#include "coppice/data/folds.h"

#include "coppice/core/fail.h"
#include "coppice/core/random.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

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

/// Parts of rows that are still being filled with groups, each to its share.
class Filling {
 public:
  Filling(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> strata,
          std::vector<double> shares)
      : shares_(std::move(shares)), stratum_(rows.size()), sizes_(shares_.size()) {
    const std::vector<Places> sets = places_by(rows, strata);
    for (std::uint32_t s = 0; s < sets.size(); ++s) {
      totals_.push_back(static_cast<double>(sets[s].size()));
      for (const std::uint32_t place : sets[s]) stratum_[place] = s;
    }
    counts_.assign(shares_.size(), std::vector<double>(sets.size()));
  }

  /// Puts a group where it adds least to the squares of what each part has of all rows and of each stratum, over what it
  /// is to have.
  std::uint32_t add(const Places& group) {
    std::map<std::uint32_t, double> own;  // of each stratum
    for (const std::uint32_t place : group) ++own[stratum_[place]];
    const auto size = static_cast<double>(group.size());
    std::vector<double> cost(shares_.size());
    for (std::size_t part = 0; part < cost.size(); ++part) {
      cost[part] = (sizes_[part] + size / 2) * size / static_cast<double>(stratum_.size());
      for (const auto& [stratum, count] : own)
        cost[part] += (counts_[part][stratum] + count / 2) * count / totals_[stratum];
      cost[part] /= shares_[part];
    }
    const auto best = static_cast<std::uint32_t>(std::ranges::min_element(cost) - cost.begin());
    sizes_[best] += size;
    for (const auto& [stratum, count] : own) counts_[best][stratum] += count;
    return best;
  }

 private:
  std::vector<double> shares_;
  std::vector<std::uint32_t> stratum_;       ///< of each place
  std::vector<double> totals_;               ///< rows of each stratum
  std::vector<double> sizes_;                ///< rows of each part
  std::vector<std::vector<double>> counts_;  ///< of each part, by stratum
};

/// Groups in random order, the larger ones first.
std::vector<Places> shuffled_groups(std::span<const std::uint32_t> rows,
                                    std::span<const std::uint32_t> values, Random& random) {
  std::vector<Places> groups;
  if (!rows.empty()) groups = places_by(rows, values);
  random.shuffle(groups);
  std::ranges::stable_sort(groups, std::greater{}, &Places::size);
  return groups;
}

}  // namespace

std::vector<std::uint32_t> assign_folds(std::span<const std::uint32_t> rows, const SplitBy& by,
                                        std::size_t count, std::uint64_t seed, std::uint32_t stream) {
  Random random(seed, Purpose::split, stream);
  if (by.groups.empty()) {
    require_folds(rows.size(), count, "row");
    return deal(rows, by.strata, count, random);
  }
  const std::vector<Places> groups = shuffled_groups(rows, by.groups, random);
  require_folds(groups.size(), count, "group");
  Filling filling(rows, by.strata, std::vector<double>(count, 1));
  std::vector<std::uint32_t> folds(rows.size());
  for (const Places& group : groups) {
    const std::uint32_t fold = filling.add(group);
    for (const std::uint32_t place : group) folds[place] = fold;
  }
  return folds;
}

Split split_groups(std::span<const std::uint32_t> rows, const SplitBy& by, double fraction,
                   std::uint64_t seed, std::uint32_t stream) {
  Random random(seed, Purpose::split, stream);
  const std::vector<Places> groups = shuffled_groups(rows, by.groups, random);
  if (groups.size() < 2)
    fail("cannot split the rows of {} group{}: at least two are needed; add rows", groups.size(),
         groups.size() == 1 ? "" : "s");
  Filling filling(rows, by.strata, {1 - fraction, fraction});
  std::array<std::vector<std::uint32_t>, 2> parts;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::uint32_t part = filling.add(groups[g]);
    if (g + 1 == groups.size() && parts[1 - part].empty()) part = 1 - part;
    for (const std::uint32_t place : groups[g]) parts[part].push_back(rows[place]);
  }
  for (auto& part : parts) random.shuffle(part);
  return {.kept = std::move(parts[0]), .held_out = std::move(parts[1])};
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
