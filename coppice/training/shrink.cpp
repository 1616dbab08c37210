#include "coppice/training/shrink.h"

#include "coppice/device/regularizer.h"
#include "coppice/network/passes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice {

namespace {

/// The factor of every group of this length; groups that end as zero are named in `dead`, but for the last of a
/// layer that must not vanish.
std::vector<double> factors_of(std::span<const double> lengths, double amount, bool may_vanish,
                               std::vector<std::size_t>& dead) {
  std::vector<double> factors;
  for (std::size_t j = 0; j < lengths.size(); ++j) {
    factors.push_back(group_shrinkage(lengths[j], amount));
    if (may_vanish || factors.back() > 0) continue;
    if (dead.size() + 1 < lengths.size()) {
      dead.push_back(j);
    } else {
      factors.back() = 1;
    }
  }
  return factors;
}

}  // namespace

template <class T>
bool shrink(ThreadPool& pool, Network<T>& network, double amount, DeadUnits& dead) {
  dead.assign(network.layers.size() - 1, {});
  if (amount <= 0) return true;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    Matrix<T>& weights = network.layers[l].weights;
    const bool output = l + 1 == network.layers.size();
    std::vector<double> lengths(weights.rows());
    for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
      row_lengths(std::as_const(weights).view().block(first, count),
                  std::span(lengths).subspan(first, count));
    });
    if (!std::ranges::all_of(lengths, [](double length) { return std::isfinite(length); })) return false;
    std::vector<std::size_t> none;
    const std::vector<double> factors = factors_of(lengths, amount, output, output ? none : dead[l]);
    for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
      for (std::size_t j = first; j < first + count; ++j) {
        for (T& weight : weights.row(j)) weight *= static_cast<T>(factors[j]);
      }
    });
  }
  return true;
}

template bool shrink(ThreadPool&, Network<float>&, double, DeadUnits&);
template bool shrink(ThreadPool&, Network<double>&, double, DeadUnits&);

}  // namespace coppice
