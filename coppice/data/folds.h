#pragma once

#include "coppice/data/split.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// What rows are split by, one value for each row of the table.
struct SplitBy {
  std::span<const std::uint32_t> strata;  ///< class of each row, or its quantile; empty: at random
  std::span<const std::uint32_t> groups;  ///< rows of one group stay together; empty: every row is its own
};

/// The fold of each of `rows`, 0 to count - 1: sizes as equal as can be, every stratum spread over the folds as evenly as
/// whole rows (or groups: the largest first, each to where its strata are fewest) allow. No fold is empty; fails if
/// there are fewer rows or groups than folds. The stream is named by seed and `stream`, as those of split_rows.
std::vector<std::uint32_t> assign_folds(std::span<const std::uint32_t> rows, const SplitBy& by,
                                        std::size_t count, std::uint64_t seed, std::uint32_t stream);

/// Holds out whole groups of `rows`: as near to the fraction of all rows and of every stratum as they allow, at least one
/// and never all. Both parts come out shuffled.
Split split_groups(std::span<const std::uint32_t> rows, const SplitBy& by, double fraction,
                   std::uint64_t seed, std::uint32_t stream);

/// Strata of numbers: which of about `count` quantiles of the values each row belongs to, from 0. Equal values belong to
/// one.
std::vector<std::uint32_t> quantile_strata(std::span<const float> values, std::size_t count);

}  // namespace coppice
