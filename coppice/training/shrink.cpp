#include "coppice/training/shrink.h"

#include "coppice/device/rows.h"
#include "coppice/device/step_sizes.h"
#include "coppice/network/passes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace coppice {

namespace {

/// Size of every fan-in (row) or fan-out (column) of a layer: what decides whether shrinkage leaves anything of it. With
/// p = 2 its length, with p = 1 its largest weight.
template <class T>
std::vector<double> group_sizes(ThreadPool& pool, const Matrix<T>& weights, const Regularizer& regularizer) {
  const bool rows = regularizer.fan == Fan::fan_in;
  std::vector<double> sizes(rows ? weights.rows() : weights.cols());
  for_unit_tiles(pool, sizes.size(), [&](std::size_t first, std::size_t count) {
    const View<const T> groups =
        rows ? weights.view().block(first, count) : weights.view().columns(first, count);
    const std::span<double> own = std::span(sizes).subspan(first, count);
    if (regularizer.power == 2) {
      rows ? row_lengths(groups, own) : column_lengths(groups, own);
      return;
    }
    for (std::size_t j = 0; j < groups.rows; ++j) {
      for (std::size_t i = 0; i < groups.cols; ++i) {
        const double value = std::abs(static_cast<double>(groups(j, i)));
        double& size = own[rows ? j : i];
        size = std::isnan(value) ? std::numeric_limits<double>::infinity() : std::max(size, value);
      }
    }
  });
  return sizes;
}

/// A fan-in's or fan-out's part of the step: w <- factor * (w moved towards 0 by threshold).
struct GroupStep {
  double factor = 1;
  double threshold = 0;
};

/// The steps of all groups of a layer. Those that end as zero are named in `dead` if they are hidden units, but for the
/// last one.
std::vector<GroupStep> group_steps(std::span<const double> sizes, const Regularizer& regularizer,
                                   double amount, std::vector<std::size_t>* dead) {
  std::vector<GroupStep> steps;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    GroupStep step;
    if (regularizer.power == 2) {
      step.factor = group_shrinkage(sizes[j], amount);
    } else {
      step.threshold = amount;
    }
    if (dead != nullptr && sizes[j] <= amount && !eliminate(j, sizes.size(), *dead)) step = {};
    steps.push_back(step);
  }
  return steps;
}

template <class T>
T shrunk(T weight, const GroupStep& step) {
  if (step.threshold == 0) return weight * static_cast<T>(step.factor);
  const T left = std::abs(weight) - static_cast<T>(step.threshold);
  return left > 0 ? static_cast<T>(std::copysign(left, weight)) : T(0);
}

}  // namespace

template <class T>
bool shrink(ThreadPool& pool, Network<T>& network, const Regularizer& regularizer, double amount,
            DeadUnits& dead) {
  const std::size_t layers = network.layers.size();
  dead.assign(layers - 1, {});
  if (amount <= 0) return true;
  const bool rows = regularizer.fan == Fan::fan_in;
  for (std::size_t l = 0; l < layers; ++l) {
    Matrix<T>& weights = network.layers[l].weights;
    const std::vector<double> sizes = group_sizes(pool, std::as_const(weights), regularizer);
    if (!std::ranges::all_of(sizes, [](double size) { return std::isfinite(size); })) return false;
    // Fan-ins belong to the layer's own units, fan-outs to those of the layer below; outputs and inputs stay.
    std::vector<std::size_t>* gone = nullptr;
    if (rows && l + 1 < layers) gone = &dead[l];
    if (!rows && l > 0) gone = &dead[l - 1];
    const std::vector<GroupStep> steps =
        group_steps(sizes, regularizer, amount * regularizer.factor(l), gone);
    for_unit_tiles(pool, weights.rows(), [&](std::size_t first, std::size_t count) {
      for (std::size_t j = first; j < first + count; ++j) {
        const std::span<T> row = weights.row(j);
        if (rows && regularizer.power == 2) {
          const T factor = static_cast<T>(steps[j].factor);
          for (T& weight : row) weight *= factor;
          continue;
        }
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = shrunk(row[i], steps[rows ? j : i]);
      }
    });
  }
  return true;
}

template bool shrink(ThreadPool&, Network<float>&, const Regularizer&, double, DeadUnits&);
template bool shrink(ThreadPool&, Network<double>&, const Regularizer&, double, DeadUnits&);

}  // namespace coppice
