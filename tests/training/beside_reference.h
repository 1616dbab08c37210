#pragma once

#include "coppice/network/gradient.h"
#include "coppice/network/resize.h"
#include "coppice/training/adarad.h"

#include "tests/training/adarad_reference.h"
#include "tests/training/problems.h"

#include <gtest/gtest.h>

// One test for everything that trains by AdaRad: a small net beside the reference, whatever computes its steps.
namespace coppice {

/// The id of a unit to be added to a layer.
struct Addition {
  std::size_t layer = 0;
  std::uint32_t unit = 0;
};
constexpr std::uint64_t addition_seed = 5;

/// How far units turn.
struct Turning {
  double angular = 10;    ///< alpha_phi, or radians
  bool by_angle = false;  ///< the latter
  double trust = 0;
  double relative_epsilon = 0;
  bool relative_shrinkage = false;
  bool exponential = false;
  double peak_decay = 1;
  double lambda = 0.003;       ///< the smaller, the larger the radial step
  StepTally* tally = nullptr;  ///< what is counted is compared, too, and brought here
};

template <class T>
double worst_difference(const Network<T>& network, const OptimizerStateOf<T>& state,
                        const AdaradReference& reference) {
  double worst = std::max(std::abs(state.largest_average / reference.phi_max - 1),
                          std::abs(state.largest_capacity / reference.cap_max - 1));
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<T>& weights = network.layers[l].weights;
    if (weights.rows() != reference.layers[l].size()) return INFINITY;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      const AdaradReference::Unit& unit = reference.layers[l][j];
      if (weights.cols() != unit.w.size()) return INFINITY;
      worst = std::max(worst, std::abs(state.layers[l].average[j] - unit.average) / (unit.average + 1e-12));
      worst = std::max(worst, std::abs(state.layers[l].capacity[j] - unit.capacity));
      for (std::size_t i = 0; i < weights.cols(); ++i) {
        worst = std::max(
            worst, std::abs(static_cast<double>(weights(j, i)) - unit.w[i]) / (1 + std::abs(unit.w[i])));
      }
    }
  }
  return worst;
}

/// Trains a small net on real gradients beside the reference, which sees the same gradients; returns the
/// largest difference ever between the two. A stepper holds a network of its Number and an OptimizerState;
/// `advance` takes one step along the gradients in the workspace, removes dead units and adds others.
template <class Stepper>
double train_beside_reference(int steps, std::size_t& removed, const Turning& turning = {}) {
  using T = typename Stepper::Number;
  ThreadPool pool(1);
  const Dataset data = learnable_dataset();
  Stepper stepper(make_network<T>({.inputs = 5, .outputs = 3, .hidden = {6, 5}}, 2), 0.005, 1e-8);
  AdaradReference reference(stepper.network(), 0.005, 1e-8);
  reference.by_angle = turning.by_angle;
  reference.trust = turning.trust;
  reference.relative_epsilon = turning.relative_epsilon;
  reference.relative_shrinkage = turning.relative_shrinkage;
  reference.exponential = turning.exponential;
  reference.peak_decay = turning.peak_decay;
  Workspace<T> workspace;
  const std::vector<std::uint32_t> rows = all_rows(data);
  const double lambda = turning.lambda;
  const double radial = 1.0 / (10 * lambda);
  double worst = 0;
  for (int step = 0; step < steps; ++step) {
    gather_batch(pool, data, std::span(rows).subspan(static_cast<std::size_t>(step % 3) * 100, 100),
                 workspace);
    compute_gradient(pool, stepper.network(), T(1.0 / 300), workspace);
    std::vector<std::vector<AdaradReference::Vector>> gradients;
    for (const LayerBuffers<T>& buffers : workspace.layers) {
      gradients.emplace_back();
      for (std::size_t j = 0; j < buffers.weight_gradient.rows(); ++j) {
        const std::span<const T> row = buffers.weight_gradient.row(j);
        gradients.back().emplace_back(row.begin(), row.end());
      }
    }
    const StepSizes sizes{.angular = turning.angular,
                          .radial = radial,
                          .shrinkage = radial * lambda * 100 / 300,
                          .by_angle = turning.by_angle,
                          .trust = turning.trust,
                          .relative_epsilon = turning.relative_epsilon,
                          .relative_shrinkage = turning.relative_shrinkage,
                          .exponential = turning.exponential,
                          .peak_decay = turning.peak_decay};
    std::vector<Addition> additions;
    for (std::size_t l = 2; step % 3 == 2 && l-- > 0;) {
      additions.push_back({l, static_cast<std::uint32_t>(100 + step)});
    }
    stepper.advance(workspace, sizes, additions);
    reference.step(gradients, sizes.angular, sizes.radial, sizes.shrinkage);
    for (const Addition& addition : additions) {
      std::vector<double> fan_in(addition.layer > 0 ? reference.layers[addition.layer - 1].size()
                                                    : data.inputs.cols());
      draw_fan_in(std::span(fan_in), Birth::added, addition_seed, addition.layer, addition.unit);
      reference.add(addition.layer, fan_in);
    }
    worst = std::max(worst, worst_difference(stepper.network(), stepper.state(), reference));
    if (!(worst < 1)) break;
  }
  removed = reference.removed;
  if (turning.tally != nullptr) {
    const StepTally& tally = *turning.tally = stepper.tally();
    EXPECT_EQ(tally.steps, reference.unit_steps);
    EXPECT_NEAR(static_cast<double>(tally.flips), static_cast<double>(reference.flips), 2);
    EXPECT_NEAR(static_cast<double>(tally.held), static_cast<double>(reference.held), 2);
    EXPECT_NEAR(tally.mean_angle() * static_cast<double>(tally.steps) / reference.turned, 1, 1e-3);
  }
  return worst;
}

}  // namespace coppice
