#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// Rows of a data set, shuffled, in two parts.
struct Split {
  std::vector<std::uint32_t> kept;
  std::vector<std::uint32_t> held_out;
};

/// How many of so many rows are held out: round(fraction * rows), at least one and never all.
std::size_t held_out_count(std::size_t rows, double fraction);

/// Holds out held_out_count() of `rows`, in the same proportion for every
/// label as far as whole rows allow (largest remainder; labels empty: at random). Both parts come out
/// shuffled. The stream is named by seed and `stream`, so that the test split (stream 0) does not depend on
/// the validation split (stream 1).
Split split_rows(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> labels, double fraction,
                 std::uint64_t seed, std::uint32_t stream);

}  // namespace coppice
