#include "coppice/training/adarad_m.h"

#include "tests/gpu.h"
#include "tests/training/adarad_m_reference.h"
#include "tests/training/cuda/gpu_stepper.h"
#include "tests/training/resizing.h"

namespace coppice {
namespace {

using GpuAdaradM = test::OnGpu;

/// Trains a small net that grows and shrinks beside the reference, which sees the same gradients.
Outcome train_with_means(int steps, double angular) {
  ThreadPool pool(1);
  const Dataset data = learnable_dataset();
  TrainingOptions options;
  options.optimizer = OptimizerKind::adarad_m;
  options.momentum_rate = 0.1;
  options.mixing_rate = 0.005;
  options.epsilon = 1e-8;
  GpuStepper stepper(make_network<float>({.inputs = 5, .outputs = 3, .hidden = {6, 5}}, 2), options);
  AdaradMReference reference(stepper.network(), 0.1, 0.005, 1e-8);
  Workspace<float> workspace;
  const std::vector<std::uint32_t> rows = all_rows(data);
  constexpr double lambda = 0.003;
  constexpr double radial = 1.0 / (10 * lambda);
  const StepSizes sizes{.angular = angular, .radial = radial, .shrinkage = radial * lambda * 100 / 300};
  Outcome outcome;
  for (int step = 0; step < steps && outcome.difference < 1; ++step) {
    gather_batch(pool, data, std::span(rows).subspan(static_cast<std::size_t>(step % 3) * 100, 100),
                 workspace);
    compute_gradient(pool, stepper.network(), 1.0F / 300, workspace);
    reference.step(gradients_of(workspace), sizes.angular, sizes.radial, sizes.shrinkage);
    std::vector<Addition> additions;
    for (std::size_t l = 2; step % 3 == 2 && l-- > 0;) {
      additions.push_back({l, static_cast<std::uint32_t>(100 + step)});
    }
    stepper.advance(workspace, sizes, additions);
    for (const Addition& addition : additions) {
      std::vector<double> fan_in(addition.layer > 0 ? reference.layers[addition.layer - 1].size() : 5);
      draw_fan_in(std::span(fan_in), Birth::added, addition_seed, addition.layer, addition.unit);
      reference.add(addition.layer, fan_in);
    }
    compare(stepper.network(), stepper.state(), reference, outcome);
    if (::testing::Test::HasFatalFailure()) break;
  }
  outcome.removed = reference.removed;
  return outcome;
}

TEST_F(GpuAdaradM, FollowsTheAlgorithmOfThePaperAndItsMeansStayOrthogonal) {
  const Outcome outcome = train_with_means(300, 10);
  EXPECT_LT(outcome.difference, 1e-3);
  EXPECT_LT(outcome.slant, 1e-4);
  EXPECT_GT(outcome.removed, 20U);
}

TEST_F(GpuAdaradM, LargeAnglesFollowTheAlgorithmToo) {
  for (const double angular : {100.0, 300.0}) {
    const Outcome outcome = train_with_means(150, angular);
    EXPECT_LT(outcome.difference, 1e-3) << angular;
    EXPECT_GT(outcome.removed, 20U) << angular;
  }
}

}  // namespace
}  // namespace coppice
