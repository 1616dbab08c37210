#include "coppice/data/mask.h"

#include <bit>
#include <vector>

namespace coppice {

namespace {

struct Point {
  int x;
  int y;
};

/// Positive when a, b, c turn towards larger x while y grows.
int turn(const Point& a, const Point& b, const Point& c) {
  return (c.x - a.x) * (b.y - a.y) - (b.x - a.x) * (c.y - a.y);
}

/// One side of the hull, from the outermost pixels of the rows in ascending y. `inward` is 1 for the left
/// side, -1 for the right one.
std::vector<Point> hull_side(const std::vector<Point>& outermost, int inward) {
  std::vector<Point> chain;
  for (const Point& point : outermost) {
    while (chain.size() >= 2 && inward * turn(chain[chain.size() - 2], chain.back(), point) <= 0) {
      chain.pop_back();
    }
    chain.push_back(point);
  }
  return chain;
}

/// The smallest whole number not below a / b, for b > 0.
int ceil_quotient(int a, int b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

/// Calls use(y, x) for every row y that the side crosses: x is the outermost pixel inside the hull. `inward`
/// is 1 for the left side, -1 for the right one.
template <class Use>
void walk_side(const std::vector<Point>& chain, int inward, Use use) {
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const Point from = chain[i];
    const Point to = chain[i + 1];
    for (int y = from.y; y < to.y; ++y) {
      const int shift = inward * (to.x - from.x) * (y - from.y);
      use(y, from.x + inward * ceil_quotient(shift, to.y - from.y));
    }
  }
  if (!chain.empty()) use(chain.back().y, chain.back().x);
}

}  // namespace

int area(const Mask& mask) {
  int count = 0;
  for (const std::uint32_t row : mask) count += std::popcount(row);
  return count;
}

Mask convex_hull(const Mask& mask) {
  std::vector<Point> left;
  std::vector<Point> right;
  for (int y = 0; y < image_side; ++y) {
    const std::uint32_t row = mask[static_cast<std::size_t>(y)];
    if (row == 0) continue;
    left.push_back({std::countr_zero(row), y});
    right.push_back({31 - std::countl_zero(row), y});
  }
  Mask hull{};
  walk_side(hull_side(left, 1), 1, [&](int y, int x) { hull[static_cast<std::size_t>(y)] = ~0U << x; });
  walk_side(hull_side(right, -1), -1,
            [&](int y, int x) { hull[static_cast<std::size_t>(y)] &= (1U << (x + 1)) - 1U; });
  return hull;
}

}  // namespace coppice
