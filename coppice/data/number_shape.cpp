#include "coppice/data/number_shape.h"

#include "coppice/data/columns.h"

#include <cmath>

namespace coppice {

namespace {

constexpr std::size_t most_bins = 8;
constexpr std::size_t rows_per_bin = 20;
/// Quantiles of so many numbers are as good as those of all.
constexpr std::size_t most_sorted = 100'000;

/// The number that this share of the others lies below: always one of them.
float quantile(std::span<const float> sorted, double share) {
  return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

std::vector<float> sorted_sample(std::span<const float> values) {
  std::vector<float> sample;
  std::ranges::copy_if(values, std::back_inserter(sample), [](float value) { return !std::isnan(value); });
  if (const std::size_t all = sample.size(); all > most_sorted) {
    for (std::size_t i = 0; i < most_sorted; ++i) sample[i] = sample[i * all / most_sorted];
    sample.resize(most_sorted);
  }
  std::ranges::sort(sample);
  return sample;
}

/// Of make(number) over all rows. What it makes is small, so one pass of squares loses nothing.
template <class Make>
Moments moments_of(std::span<const float> values, float fill, Make make) {
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    const double made = make(std::isnan(value) ? fill : value);
    sum += made;
    squares += made * made;
  }
  const auto count = static_cast<double>(values.size());
  const double mean = sum / count;
  return {mean, std::max(0.0, squares / count - mean * mean)};
}

NumberShape shape_of(std::span<const float> values, float fill, ShapeOptions options) {
  NumberShape shape;
  const std::vector<float> sorted = sorted_sample(values);
  if (sorted.empty() || sorted.front() == sorted.back()) return shape;
  if (options.squash) shape.squash = fit_squash(sorted);
  if (shape.squash.used()) shape.value = moments_of(values, fill, shape.squash);
  if (options.bins) shape.edges = fit_edges(sorted);
  for (std::size_t t = 0; t + 1 < shape.edges.size(); ++t) {
    shape.bins.push_back(moments_of(
        values, fill, [&](float value) { return bin_value(value, shape.edges[t], shape.edges[t + 1]); }));
  }
  return shape;
}

}  // namespace

Squash fit_squash(std::span<const float> sorted) {
  Squash squash;
  const double middle = static_cast<double>(quantile(sorted, 0.75)) - quantile(sorted, 0.25);
  const double range = static_cast<double>(sorted.back()) - sorted.front();
  const auto factor = static_cast<float>(middle > 0 ? 1 / middle : 2 / range);
  if (!std::isnormal(factor)) return squash;
  squash.median = quantile(sorted, 0.5);
  squash.factor = factor;
  return squash;
}

std::vector<float> fit_edges(std::span<const float> sorted) {
  const std::size_t count = sorted.size();
  const std::size_t most = std::min(most_bins, count / rows_per_bin);
  if (most < 2) return {};
  std::vector<float> distinct;  // the first of them
  std::vector<float> edges;     // those that fill two bins
  std::vector<float> others;
  for (std::size_t i = 0, end = 0; i < count; i = end) {
    while (end < count && sorted[end] == sorted[i]) ++end;
    if (distinct.size() < most + 2) distinct.push_back(sorted[i]);
    if ((end - i) * most >= 2 * count) {
      edges.push_back(sorted[i]);
    } else {
      others.insert(others.end(), sorted.begin() + static_cast<std::ptrdiff_t>(i),
                    sorted.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }
  if (distinct.size() < 3) return {};
  if (distinct.size() <= most + 1) return distinct;
  const std::size_t parts = std::min(most - edges.size(), others.size() / rows_per_bin);
  for (std::size_t k = 0; parts > 0 && k <= parts; ++k)
    edges.push_back(quantile(others, static_cast<double>(k) / static_cast<double>(parts)));
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (edges.size() < 3) return {};
  return edges;
}

std::vector<NumberShape> number_shapes(const Table& table, std::span<const std::size_t> columns,
                                       std::span<const float> fills, std::span<const std::uint32_t> rows,
                                       ShapeOptions options) {
  constexpr std::size_t together = 16;  // a line of a borrowed matrix's memory is fetched once
  std::vector<NumberShape> shapes;
  shapes.reserve(columns.size());
  for (std::size_t first = 0; first < columns.size(); first += together) {
    const auto some = columns.subspan(first, std::min(together, columns.size() - first));
    const Matrix<float> values = gather_numbers(table, some, rows);
    for (std::size_t k = 0; k < some.size(); ++k)
      shapes.push_back(shape_of(values.row(k), fills[first + k], options));
  }
  return shapes;
}

}  // namespace coppice
