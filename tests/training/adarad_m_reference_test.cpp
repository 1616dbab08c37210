#include "tests/training/adarad_m_reference.h"

#include "coppice/network/gradient.h"
#include "coppice/training/adarad_m.h"

#include "tests/training/problems.h"
#include "tests/training/resizing.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

using Vector = AdaradMReference::Vector;

struct Outcome {
  double difference = 0;  ///< largest ever from the reference, in weights and running means
  double slant = 0;       ///< largest cosine ever between a fan-in and its mean
  std::size_t removed = 0;
};

template <class T>
void compare(const Network<T>& network, const OptimizerStateOf<T>& state, const AdaradMReference& reference,
             Outcome& outcome) {
  double longest = 1e-12;  // means are of the size of gradients
  for (const auto& layer : reference.layers) {
    for (const auto& unit : layer) longest = std::max(longest, AdaradMReference::length(unit.mean));
  }
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<T>& weights = network.layers[l].weights;
    const Matrix<T>& mean = state.layers[l].mean;
    ASSERT_EQ(weights.rows(), reference.layers[l].size());
    ASSERT_EQ(mean.rows(), weights.rows());
    ASSERT_EQ(mean.cols(), weights.cols());
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      const AdaradMReference::Unit& unit = reference.layers[l][j];
      ASSERT_EQ(weights.cols(), unit.w.size());
      const auto differ = [&](double a, double b, double scale) {
        outcome.difference = std::max(outcome.difference, std::abs(a - b) / scale);
      };
      differ(state.layers[l].average[j], unit.average, unit.average + 1e-12);
      differ(state.layers[l].capacity[j], unit.capacity, 1);
      differ(state.layers[l].mean_capacity[j], unit.filled, 1);
      for (std::size_t i = 0; i < weights.cols(); ++i) {
        differ(static_cast<double>(weights(j, i)), unit.w[i], 1 + std::abs(unit.w[i]));
        differ(static_cast<double>(mean(j, i)), unit.mean[i], longest);
      }
      const Vector w(weights.row(j).begin(), weights.row(j).end());
      const Vector m(mean.row(j).begin(), mean.row(j).end());
      const double lengths = AdaradMReference::length(w) * AdaradMReference::length(m);
      if (lengths > 0)
        outcome.slant = std::max(outcome.slant, std::abs(AdaradMReference::dot(w, m)) / lengths);
    }
  }
}

/// Trains a small net on real gradients beside the reference, which sees the same gradients.
template <class T>
Outcome train_beside_reference(int steps) {
  ThreadPool pool(1);
  const Dataset data = learnable_dataset();
  Network<T> network = make_network<T>({.inputs = 5, .outputs = 3, .hidden = {6, 5}}, 2);
  const AdaRadM<T> adarad(0.1, 0.005, 1e-8);
  OptimizerStateOf<T> state = adarad.start(network);
  AdaradMReference reference(network, 0.1, 0.005, 1e-8);
  Workspace<T> workspace;
  const std::vector<std::uint32_t> rows = all_rows(data);
  constexpr double lambda = 0.003;
  constexpr double radial = 1.0 / (10 * lambda);
  const StepSizes sizes{.angular = 10, .radial = radial, .shrinkage = radial * lambda * 100 / 300};
  Outcome outcome;
  for (int step = 0; step < steps && outcome.difference < 1; ++step) {
    gather_batch(pool, data, std::span(rows).subspan(static_cast<std::size_t>(step % 3) * 100, 100),
                 workspace);
    compute_gradient(pool, network, T(1.0 / 300), workspace);
    DeadUnits dead;
    const auto gradients = gradients_of(workspace);
    EXPECT_TRUE(adarad.step(pool, network, workspace, sizes, state, dead));
    reference.step(gradients, sizes.angular, sizes.radial, sizes.shrinkage);
    bury(network, state, dead, adarad);
    if (step % 3 == 2) {
      grow(network, state, static_cast<std::uint32_t>(100 + step),
           [&](std::size_t layer, const Vector& fan_in) { reference.add(layer, fan_in); });
    }
    compare(network, state, reference, outcome);
    if (::testing::Test::HasFatalFailure()) break;
  }
  outcome.removed = reference.removed;
  return outcome;
}

TEST(AdaradM, EqualsTheAlgorithmOfThePaperInDouble) {
  const Outcome outcome = train_beside_reference<double>(600);
  EXPECT_LT(outcome.difference, 1e-9);
  EXPECT_LT(outcome.slant, 1e-9);
  EXPECT_GT(outcome.removed, 50U);
}

TEST(AdaradM, FollowsTheAlgorithmOfThePaperInFloat) {
  const Outcome outcome = train_beside_reference<float>(300);
  EXPECT_LT(outcome.difference, 1e-3);
  EXPECT_LT(outcome.slant, 1e-4);
  EXPECT_GT(outcome.removed, 20U);
}

}  // namespace
}  // namespace coppice
