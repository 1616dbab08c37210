#pragma once

#include "coppice/data/encoding.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// What a bin from one edge to the next makes of a number.
inline double bin_value(float x, float low, float high) {
  return std::clamp((static_cast<double>(x) - low) / (static_cast<double>(high) - low), 0.0, 1.0);
}

/// Mean and biased variance of one network input over the training rows, before scaling.
struct Moments {
  double mean = 0;
  double variance = 0;
};

/// How a column of numbers is squashed and cut into bins, and the moments of what comes out.
struct NumberShape {
  Squash squash;
  std::vector<float> edges;
  Moments value;              ///< of the number, squashed if it is
  std::vector<Moments> bins;  ///< one each
};

/// What is wanted of a column's shape.
struct ShapeOptions {
  bool squash = true;
  bool bins = false;
};

/// Of numbers in rising order. Nothing where they do not vary, or not by anything float32 can divide by. weights: how much
/// each number counts; empty: all the same.
Squash fit_squash(std::span<const float> sorted, std::span<const float> weights = {});

/// Edges for at most eight bins of at least twenty numbers (in rising order) each. Few distinct values become the edges
/// themselves. Else a value that would fill two bins is an edge of its own, and the quantiles of the other numbers
/// are the rest. None where that makes fewer than two bins.
std::vector<float> fit_edges(std::span<const float> sorted, std::span<const float> weights = {});

/// The shapes of several columns of numbers over some rows; a missing cell counts as the fill of its column. weights: of all
/// rows of the table; empty: all count the same. threads: at most.
std::vector<NumberShape> number_shapes(const Table& table, std::span<const std::size_t> columns,
                                       std::span<const float> fills, std::span<const std::uint32_t> rows,
                                       ShapeOptions options, std::span<const float> weights = {},
                                       std::size_t threads = 1);

}  // namespace coppice
