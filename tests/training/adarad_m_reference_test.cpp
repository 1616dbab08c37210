#include "tests/training/adarad_m_reference.h"

#include "coppice/network/gradient.h"
#include "coppice/training/adarad_m.h"

#include "tests/training/problems.h"
#include "tests/training/resizing.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

using Vector = AdaradMReference::Vector;

/// Trains a small net on real gradients beside the reference, which sees the same gradients.
template <class T>
Outcome train_m_beside_reference(int steps, double angular = 10) {
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
  const StepSizes sizes{.angular = angular, .radial = radial, .shrinkage = radial * lambda * 100 / 300};
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
  const Outcome outcome = train_m_beside_reference<double>(600);
  EXPECT_LT(outcome.difference, 1e-9);
  EXPECT_LT(outcome.slant, 1e-9);
  EXPECT_GT(outcome.removed, 50U);
}

TEST(AdaradM, LargeAnglesEqualTheAlgorithmOfThePaperToo) {
  for (const double angular : {100.0, 300.0}) {
    const Outcome exact = train_m_beside_reference<double>(300, angular);
    EXPECT_LT(exact.difference, 1e-9) << angular;
    EXPECT_LT(exact.slant, 1e-9) << angular;
    EXPECT_GT(exact.removed, 50U) << angular;
    EXPECT_LT(train_m_beside_reference<float>(150, angular).difference, 1e-3) << angular;
  }
}

TEST(AdaradM, FollowsTheAlgorithmOfThePaperInFloat) {
  const Outcome outcome = train_m_beside_reference<float>(300);
  EXPECT_LT(outcome.difference, 1e-3);
  EXPECT_LT(outcome.slant, 1e-4);
  EXPECT_GT(outcome.removed, 20U);
}

}  // namespace
}  // namespace coppice
