#include "coppice/data/made_rows.h"

#include "coppice/core/elementary.h"
#include "coppice/core/random.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

constexpr std::uint32_t pair_stream = 0;
constexpr std::uint32_t mixing_stream = 1;
constexpr std::size_t most_drawn = 200;
constexpr std::size_t nearer_rows =
    5;  ///< about so many lie nearer than the one that is taken, where rows are few
constexpr double furthest =
    2;  ///< squared, in one column: two different texts, or numbers 1.4 deviations apart

double distance(std::span<const float> a, std::span<const float> b,
                std::span<const std::vector<std::size_t>> columns) {
  double sum = 0;
  for (const std::vector<std::size_t>& column : columns) {
    double own = 0;
    for (const std::size_t i : column) own += elementary::pow(a[i] - b[i], 2);
    sum += std::min(own, furthest);
  }
  return sum;
}

}  // namespace

std::vector<RowPair> near_pairs(ThreadPool& pool, const Matrix<float>& inputs,
                                std::span<const std::uint32_t> rows,
                                std::span<const std::vector<std::size_t>> columns, std::size_t count,
                                std::uint64_t seed) {
  std::vector<RowPair> pairs(rows.size() < 2 ? 0 : count);
  const std::size_t drawn_rows = std::clamp(rows.size() / nearer_rows, std::size_t{1}, most_drawn);
  pool.parallel_for(pairs.size(), [&](std::size_t p) {
    const std::size_t place = p % rows.size();
    const std::uint32_t row = rows[place];
    Random random(seed, Purpose::made_rows, pair_stream, static_cast<std::uint32_t>(p));
    double nearest = HUGE_VAL;
    for (std::size_t drawn = 0; drawn < drawn_rows; ++drawn) {
      const std::size_t other = (place + 1 + random.below(rows.size() - 1)) % rows.size();
      const double apart = distance(inputs.row(row), inputs.row(rows[other]), columns);
      if (apart >= nearest) continue;
      nearest = apart;
      pairs[p] = {.first = row, .second = rows[other]};
    }
  });
  return pairs;
}

Matrix<float> mixed_rows(const Matrix<float>& inputs, std::span<const RowPair> pairs,
                         std::span<const std::vector<std::size_t>> columns, std::uint64_t seed) {
  Matrix<float> mixed = Matrix<float>::packed(pairs.size(), inputs.cols());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Random random(seed, Purpose::made_rows, mixing_stream, static_cast<std::uint32_t>(p));
    for (const std::vector<std::size_t>& column : columns) {
      const std::uint32_t from = random.uniform() < 0.5 ? pairs[p].first : pairs[p].second;
      for (const std::size_t i : column) mixed(p, i) = inputs(from, i);
    }
  }
  return mixed;
}

}  // namespace coppice
