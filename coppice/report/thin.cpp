#include "coppice/report/thin.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace coppice {

namespace {

/// Twice the area of the triangle of a point of the curve, an earlier point and a place (x, y) further on.
double triangle(const Curve& curve, std::size_t earlier, std::size_t point, double x, double y) {
  return std::abs((curve.x[earlier] - x) * (curve.y[point] - curve.y[earlier]) -
                  (curve.x[earlier] - curve.x[point]) * (y - curve.y[earlier]));
}

/// Mean place of the points [begin, end).
std::pair<double, double> center(const Curve& curve, std::size_t begin, std::size_t end) {
  double x = 0;
  double y = 0;
  for (std::size_t i = begin; i < end; ++i) {
    x += curve.x[i];
    y += curve.y[i];
  }
  const auto count = static_cast<double>(end - begin);
  return {x / count, y / count};
}

/// Indices of the points to keep, in their order.
std::vector<std::size_t> kept_points(const Curve& curve, std::size_t most) {
  const std::size_t count = curve.x.size();
  most = std::max<std::size_t>(most, 4);
  if (count <= most) return spread_indices(count, count);
  const auto lowest = std::ranges::min_element(curve.y) - curve.y.begin();
  const auto highest = std::ranges::max_element(curve.y) - curve.y.begin();
  std::vector<std::size_t> kept{0, count - 1, static_cast<std::size_t>(lowest),
                                static_cast<std::size_t>(highest)};
  const std::size_t stretches = most - kept.size();
  const auto start = [&](std::size_t stretch) { return 1 + stretch * (count - 2) / stretches; };
  std::size_t last = 0;
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t next_end = s + 1 < stretches ? start(s + 2) : count;
    const auto [x, y] = center(curve, std::min(start(s + 1), next_end - 1), next_end);
    std::size_t best = start(s);
    for (std::size_t i = start(s); i < start(s + 1); ++i) {
      if (triangle(curve, last, i, x, y) > triangle(curve, last, best, x, y)) best = i;
    }
    kept.push_back(best);
    last = best;
  }
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

Curve points_of(const Curve& curve, const std::vector<std::size_t>& kept) {
  Curve out;
  for (const std::size_t i : kept) out.add(curve.x[i], curve.y[i]);
  return out;
}

}  // namespace

Curve thinned(const Curve& curve, std::size_t most) {
  return points_of(curve, kept_points(curve, most));
}

std::vector<Curve> thinned_alike(const std::vector<Curve>& curves, std::size_t most) {
  std::set<std::size_t> needed;
  for (const Curve& curve : curves) {
    const std::vector<std::size_t> kept = kept_points(curve, most / curves.size());
    needed.insert(kept.begin(), kept.end());
  }
  const std::vector<std::size_t> kept(needed.begin(), needed.end());
  std::vector<Curve> thin;
  for (const Curve& curve : curves) thin.push_back(points_of(curve, kept));
  return thin;
}

std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most) {
  std::vector<std::size_t> indices;
  const std::size_t kept = std::min(count, most);
  for (std::size_t i = 0; i < kept; ++i) indices.push_back(i * count / kept);
  return indices;
}

}  // namespace coppice
