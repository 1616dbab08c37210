#include "coppice/device/cuda/descent.h"

#include "coppice/network/gradient.h"

#include "tests/gpu.h"
#include "tests/training/cuda/gpu_stepper.h"
#include "tests/training/descent_reference.h"
#include "tests/training/resizing.h"

#include <fmt/format.h>

namespace coppice {
namespace {

using namespace descent;
using GpuDescent = test::OnGpu;

struct Descending {
  OptimizerKind kind;
  Rule rule;
  double step;
  double shrinkage;
};
const Descending descents[] = {{OptimizerKind::sgd, plain_rule, 10, 0.02},
                               {OptimizerKind::momentum, momentum_rule, 10, 0.02},
                               {OptimizerKind::nesterov, nesterov_rule, 10, 0.02},
                               {OptimizerKind::rmsprop, rmsprop_rule, 0.003, 0},
                               {OptimizerKind::adam, adam_rule, 0.003, 0}};

TrainingOptions options_for(OptimizerKind kind) {
  TrainingOptions options;
  options.optimizer = kind;
  options.momentum_rate = mean_rate;
  options.mixing_rate = square_rate;
  options.epsilon = epsilon;
  return options;
}

/// Trains a small net that grows and shrinks beside the reference, which sees the same gradients; the largest difference ever.
double train_descent(const Descending& c, int steps, std::size_t& removed) {
  ThreadPool pool(1);
  const Dataset data = learnable_dataset();
  const std::vector<std::uint32_t> rows = all_rows(data);
  GpuStepper stepper(make_network<float>({.inputs = 5, .outputs = 3, .hidden = {6, 5}}, 2),
                     options_for(c.kind));
  Reference reference(stepper.network());
  Workspace<float> workspace;
  double worst = 0;
  for (int i = 0; i < steps && worst < 1; ++i) {
    gather_batch(pool, data, std::span(rows).subspan(static_cast<std::size_t>(i % 3) * 100, 100), workspace);
    compute_gradient(pool, stepper.network(), 1.0F / 300, workspace);
    reference.step(gradients_of(workspace), c.rule, c.step, c.shrinkage);
    std::vector<Addition> additions;
    for (std::size_t l = 2; i % 3 == 2 && l-- > 0;) {
      additions.push_back({l, static_cast<std::uint32_t>(100 + i)});
    }
    stepper.advance(workspace, {.angular = 0, .radial = c.step, .shrinkage = c.shrinkage}, additions);
    for (const Addition& addition : additions) {
      std::vector<double> fan_in(addition.layer > 0 ? reference.layers[addition.layer - 1].size() : 5);
      draw_fan_in(std::span(fan_in), Birth::added, addition_seed, addition.layer, addition.unit);
      reference.add(addition.layer, fan_in);
    }
    worst = std::max(worst, worst_difference(stepper.network(), reference));
  }
  removed = reference.removed;
  return worst;
}

TEST_F(GpuDescent, FollowsThePlainRules) {
  for (const Descending& c : descents) {
    std::size_t removed = 0;
    EXPECT_LT(train_descent(c, 150, removed), 1e-3) << "optimizer " << static_cast<int>(c.kind);
    if (c.shrinkage > 0) {
      EXPECT_GT(removed, 20U) << "optimizer " << static_cast<int>(c.kind);
    }
  }
}

}  // namespace
}  // namespace coppice
