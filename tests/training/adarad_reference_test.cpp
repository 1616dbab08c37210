#include "tests/training/adarad_reference.h"

#include "coppice/network/gradient.h"
#include "coppice/network/resize.h"
#include "coppice/training/adarad.h"

#include "tests/network/fixture.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

template <class T>
void bury(Network<T>& network, OptimizerState& state, const DeadUnits& dead) {
  for (std::size_t l = 0; l < dead.size(); ++l) {
    ResizePlan plan{.layer = l, .keep = {}, .added = {}};
    for (std::size_t j = 0; j < network.layers[l].units.size(); ++j) {
      if (!std::ranges::binary_search(dead[l], j)) plan.keep.push_back(j);
    }
    resize(network, plan);
    state.resize(plan);
  }
}

template <class T>
void grow(Network<T>& network, OptimizerState& state, AdaradReference& reference, std::uint32_t id) {
  for (std::size_t l = network.layers.size() - 1; l-- > 0;) {
    ResizePlan plan{.layer = l, .keep = {}, .added = {id}};
    for (std::size_t j = 0; j < network.layers[l].units.size(); ++j) plan.keep.push_back(j);
    resize(network, plan);
    state.resize(plan);
    const std::span<T> fan_in = network.layers[l].weights.row(plan.keep.size());
    draw_fan_in(fan_in, Birth::added, 5, l, id);
    reference.add(l, {fan_in.begin(), fan_in.end()});
  }
}

template <class T>
double worst_difference(const Network<T>& network, const OptimizerState& state,
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

/// Labels that a small net can learn, so that some units live while others die.
Dataset learnable_dataset() {
  Dataset data = random_dataset(300, 5, 3, 1);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const std::span<const float> x = std::as_const(data.inputs).row(i);
    data.labels[i] = (x[0] > 0 ? 1U : 0U) + (x[1] * x[2] > 0 ? 1U : 0U);
  }
  return data;
}

/// Trains a small net on real gradients beside the reference, which sees the same gradients; returns the
/// largest difference ever between the two.
template <class T>
double train_beside_reference(int steps, std::size_t& removed) {
  ThreadPool pool(1);
  const Dataset data = learnable_dataset();
  Network<T> network = make_network<T>({.inputs = 5, .outputs = 3, .hidden = {6, 5}}, 2);
  const AdaRad<T> adarad(0.005, 1e-8);
  OptimizerState state = adarad.start(network);
  AdaradReference reference(network, 0.005, 1e-8);
  Workspace<T> workspace;
  const std::vector<std::uint32_t> rows = all_rows(data);
  constexpr double lambda = 0.003;
  constexpr double radial = 1.0 / (10 * lambda);
  double worst = 0;
  for (int step = 0; step < steps; ++step) {
    gather_batch(pool, data, std::span(rows).subspan(static_cast<std::size_t>(step % 3) * 100, 100),
                 workspace);
    compute_gradient(pool, network, T(1.0 / 300), workspace);
    std::vector<std::vector<AdaradReference::Vector>> gradients;
    for (const LayerBuffers<T>& buffers : workspace.layers) {
      gradients.emplace_back();
      for (std::size_t j = 0; j < buffers.weight_gradient.rows(); ++j) {
        const std::span<const T> row = buffers.weight_gradient.row(j);
        gradients.back().emplace_back(row.begin(), row.end());
      }
    }
    DeadUnits dead;
    const StepSizes sizes{.angular = 10, .radial = radial, .shrinkage = radial * lambda * 100 / 300};
    EXPECT_TRUE(adarad.step(pool, network, workspace, sizes, state, dead));
    reference.step(gradients, sizes.angular, sizes.radial, sizes.shrinkage);
    bury(network, state, dead);
    if (step % 3 == 2) grow(network, state, reference, static_cast<std::uint32_t>(100 + step));
    worst = std::max(worst, worst_difference(network, state, reference));
    if (!(worst < 1)) break;
  }
  removed = reference.removed;
  return worst;
}

TEST(Adarad, EqualsTheAlgorithmOfThePaperInDouble) {
  std::size_t removed = 0;
  EXPECT_LT(train_beside_reference<double>(600, removed), 1e-9);
  EXPECT_GT(removed, 50U);
}

TEST(Adarad, FollowsTheAlgorithmOfThePaperInFloat) {
  std::size_t removed = 0;
  EXPECT_LT(train_beside_reference<float>(300, removed), 1e-3);
  EXPECT_GT(removed, 20U);
}

}  // namespace
}  // namespace coppice
