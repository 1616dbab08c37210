#include "coppice/data/number_shape.h"

#include "coppice/data/columns.h"
#include "coppice/data/sort_numbers.h"
#include "coppice/data/worth_threads.h"
#include "coppice/device/threads.h"

#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

namespace coppice {

namespace {

constexpr std::size_t most_bins = 8;
constexpr std::size_t rows_per_bin = 20;
/// Quantiles of so many numbers are as good as those of all.
constexpr std::size_t most_sorted = 100'000;

/// The number that this share of the others lies below: always one of them. Weighted ones as if each stood there as often
/// as it counts.
float quantile(std::span<const float> sorted, std::span<const float> weights, double share) {
  if (weights.empty())
    return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double place = std::round(share * (total - 1));
  double before = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    before += weights[i];
    if (before > place + 1e-9 * total) return sorted[i];
  }
  return sorted.back();
}

/// So many of the values, at even distances, that quantiles are as good as those of all.
template <class T>
void thin_out(std::vector<T>& values) {
  const std::size_t all = values.size();
  if (all <= most_sorted) return;
  for (std::size_t i = 0; i < most_sorted; ++i) values[i] = values[i * all / most_sorted];
  values.resize(most_sorted);
}

/// Numbers in rising order, 0 without a sign (which would stand in the model), and their weights, if they have any.
struct Sample {
  std::vector<float> values;
  std::vector<float> weights;
};

Sample sorted_sample(std::span<const float> values, std::span<const float> weights) {
  Sample sample;
  if (weights.empty()) {
    sample.values.reserve(values.size());
    for (const float value : values) {
      if (!std::isnan(value)) sample.values.push_back(value + 0.0F);
    }
    thin_out(sample.values);
    sort_numbers(sample.values);
    return sample;
  }
  std::vector<std::pair<float, float>> both;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) both.emplace_back(values[i] + 0.0F, weights[i]);
  }
  thin_out(both);
  std::ranges::sort(both);
  for (const auto& [value, weight] : both) {
    sample.values.push_back(value);
    sample.weights.push_back(weight);
  }
  return sample;
}

/// Of make(number) over all rows. What it makes is small, so one pass of squares loses nothing.
template <class Make>
Moments moments_of(std::span<const float> values, std::span<const float> weights, float fill, Make make) {
  double sum = 0;
  double squares = 0;
  double count = weights.empty() ? static_cast<double>(values.size()) : 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double made = make(std::isnan(values[i]) ? fill : values[i]);
    const double weight = weights.empty() ? 1.0 : weights[i];
    sum += weight * made;
    squares += weight * (made * made);
    if (!weights.empty()) count += weight;
  }
  const double mean = sum / count;
  return {mean, std::max(0.0, squares / count - mean * mean)};
}

NumberShape shape_of(std::span<const float> values, std::span<const float> weights, float fill,
                     ShapeOptions options) {
  NumberShape shape;
  const Sample sorted = sorted_sample(values, weights);
  if (sorted.values.empty() || sorted.values.front() == sorted.values.back()) return shape;
  if (options.squash) shape.squash = fit_squash(sorted.values, sorted.weights);
  if (shape.squash.used()) shape.value = moments_of(values, weights, fill, shape.squash);
  if (options.bins) shape.edges = fit_edges(sorted.values, sorted.weights);
  for (std::size_t t = 0; t + 1 < shape.edges.size(); ++t) {
    shape.bins.push_back(moments_of(values, weights, fill, [&](float value) {
      return bin_value(value, shape.edges[t], shape.edges[t + 1]);
    }));
  }
  return shape;
}

}  // namespace

Squash fit_squash(std::span<const float> sorted, std::span<const float> weights) {
  Squash squash;
  const double middle =
      static_cast<double>(quantile(sorted, weights, 0.75)) - quantile(sorted, weights, 0.25);
  const double range = static_cast<double>(sorted.back()) - sorted.front();
  const auto factor = static_cast<float>(middle > 0 ? 1 / middle : 2 / range);
  if (!std::isnormal(factor)) return squash;
  squash.median = quantile(sorted, weights, 0.5);
  squash.factor = factor;
  return squash;
}

std::vector<float> fit_edges(std::span<const float> sorted, std::span<const float> weights) {
  const std::size_t count = sorted.size();
  const std::size_t most = std::min(most_bins, count / rows_per_bin);
  if (most < 2) return {};
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += weight(i);
  std::vector<float> distinct;  // the first of them
  std::vector<float> edges;     // those that fill two bins
  Sample others;
  for (std::size_t i = 0, end = 0; i < count; i = end) {
    double own = 0;
    for (; end < count && sorted[end] == sorted[i]; ++end) own += weight(end);
    if (distinct.size() < most + 2) distinct.push_back(sorted[i]);
    if (own * static_cast<double>(most) >= 2 * total) {
      edges.push_back(sorted[i]);
      continue;
    }
    for (std::size_t k = i; k < end; ++k) {
      others.values.push_back(sorted[k]);
      if (!weights.empty()) others.weights.push_back(weights[k]);
    }
  }
  if (distinct.size() < 3) return {};
  if (distinct.size() <= most + 1) return distinct;
  const std::size_t parts = std::min(most - edges.size(), others.values.size() / rows_per_bin);
  for (std::size_t k = 0; parts > 0 && k <= parts; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(parts);
    edges.push_back(quantile(others.values, others.weights, share));
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (edges.size() < 3) return {};
  return edges;
}

std::vector<NumberShape> number_shapes(const Table& table, std::span<const std::size_t> columns,
                                       std::span<const float> fills, std::span<const std::uint32_t> rows,
                                       ShapeOptions options, std::span<const float> weights,
                                       std::size_t threads) {
  // A line of a borrowed matrix's memory is fetched once; of other columns few are copied.
  const std::size_t together = any_borrowed(table, columns) ? 16 : 2;
  constexpr std::size_t share = 4;  // threads copy no more than such a share of the columns at once
  std::vector<NumberShape> shapes(columns.size());
  std::vector<float> own_weights;
  for (const std::uint32_t row : rows) {
    if (!weights.empty()) own_weights.push_back(weights[row]);
  }
  const std::size_t most = std::max<std::size_t>(1, columns.size() / (share * together));
  ThreadPool pool(std::min(most, worth_threads(columns.size() * rows.size(), threads)));
  const std::size_t parts = (columns.size() + together - 1) / together;
  std::atomic<std::size_t> next = 0;
  pool.parallel_for(pool.threads(), [&](std::size_t) {
    Matrix<float> values;
    for (std::size_t part = next++; part < parts; part = next++) {
      const std::size_t first = part * together;
      const auto some = columns.subspan(first, std::min(together, columns.size() - first));
      for (const std::size_t column : some) expect_cells(table.column(column));
      gather_numbers(table, some, rows, values);
      for (std::size_t k = 0; k < some.size(); ++k)
        shapes[first + k] = shape_of(values.row(k), own_weights, fills[first + k], options);
      release_cells(table);
    }
  });
  return shapes;
}

}  // namespace coppice
