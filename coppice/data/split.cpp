#include "coppice/data/split.h"

#include "coppice/core/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

/// How many of each group to hold out so that the total is exact: largest remainder, ties to the smaller
/// group index.
std::vector<std::size_t> quotas(const std::vector<std::vector<std::uint32_t>>& groups, double fraction,
                                std::size_t total) {
  std::vector<std::size_t> quota(groups.size());
  std::vector<double> remainder(groups.size());
  std::size_t given = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double exact = fraction * static_cast<double>(groups[g].size());
    quota[g] = static_cast<std::size_t>(exact);
    remainder[g] = exact - static_cast<double>(quota[g]);
    given += quota[g];
  }
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t g) { return remainder[g]; });
  for (std::size_t k = 0; given < total && k < order.size(); ++k) {
    if (quota[order[k]] < groups[order[k]].size()) {
      ++quota[order[k]];
      ++given;
    }
  }
  return quota;
}

}  // namespace

Split split_rows(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> labels, double fraction,
                 std::uint64_t seed, std::uint32_t stream) {
  const auto exact = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(rows.size())));
  const std::size_t total = std::clamp<std::size_t>(exact, 1, rows.size() - 1);
  std::vector<std::vector<std::uint32_t>> groups(1);
  for (const std::uint32_t row : rows) {
    const std::size_t group = labels.empty() ? 0 : labels[row];
    if (group >= groups.size()) groups.resize(group + 1);
    groups[group].push_back(row);
  }
  Random random(seed, Purpose::split, stream);
  for (auto& group : groups) random.shuffle(group);
  const auto quota = quotas(groups, static_cast<double>(total) / static_cast<double>(rows.size()), total);
  Split split;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto cut = groups[g].begin() + static_cast<std::ptrdiff_t>(quota[g]);
    split.held_out.insert(split.held_out.end(), groups[g].begin(), cut);
    split.kept.insert(split.kept.end(), cut, groups[g].end());
  }
  random.shuffle(split.held_out);
  random.shuffle(split.kept);
  return split;
}

}  // namespace coppice
