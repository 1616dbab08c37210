#include "coppice/data/split.h"

#include "coppice/core/fail.h"
#include "coppice/core/random.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace coppice {

namespace {

/// How many of each group to hold out so that the total is exact: largest remainder, ties to the smaller
/// group index. A label's only row is held out last of all, so that training sees every label it can.
std::vector<std::size_t> quotas(const std::vector<std::vector<std::uint32_t>>& groups, std::size_t total,
                                std::size_t rows) {
  std::vector<std::size_t> quota(groups.size());
  std::vector<std::size_t> remainder(groups.size());
  std::size_t given = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    quota[g] = total * groups[g].size() / rows;
    remainder[g] = total * groups[g].size() % rows;
    given += quota[g];
  }
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t g) {
    return std::pair(groups[g].size() > 1 && remainder[g] > 0, remainder[g]);
  });
  for (std::size_t k = 0; given < total; ++k, ++given) ++quota[order[k]];
  return quota;
}

}  // namespace

std::size_t held_out_count(std::size_t rows, double fraction) {
  const auto exact = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(rows)));
  return std::clamp<std::size_t>(exact, 1, rows - 1);
}

Split split_rows(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> labels, double fraction,
                 std::uint64_t seed, std::uint32_t stream) {
  if (rows.size() < 2)
    fail("cannot split {} row{}: at least two are needed; add rows", rows.size(),
         rows.size() == 1 ? "" : "s");
  const std::size_t total = held_out_count(rows.size(), fraction);
  std::vector<std::vector<std::uint32_t>> groups(1);
  for (const std::uint32_t row : rows) {
    const std::size_t group = labels.empty() ? 0 : labels[row];
    if (group >= groups.size()) groups.resize(group + 1);
    groups[group].push_back(row);
  }
  Random random(seed, Purpose::split, stream);
  for (auto& group : groups) random.shuffle(group);
  const auto quota = quotas(groups, total, rows.size());
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
