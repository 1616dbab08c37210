#include "tests/training/descent_reference.h"

#include "coppice/network/gradient.h"
#include "coppice/training/adam.h"
#include "coppice/training/momentum.h"
#include "coppice/training/sgd.h"

#include "tests/training/problems.h"
#include "tests/training/resizing.h"

#include <memory>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace descent;

/// Trains a small net that grows and shrinks beside the reference; the largest difference ever.
template <class T>
double descend_beside_reference(const Optimizer<T>& optimizer, const Rule& rule, int steps, double step,
                                double shrinkage, std::size_t& removed) {
  ThreadPool pool(2);
  const Dataset data = learnable_dataset();
  const std::vector<std::uint32_t> rows = all_rows(data);
  Network<T> network = make_network<T>({.inputs = 5, .outputs = 3, .hidden = {6, 5}}, 2);
  OptimizerStateOf<T> state = optimizer.start(network);
  Reference reference(network);
  Workspace<T> workspace;
  double worst = 0;
  for (int i = 0; i < steps && worst < 1; ++i) {
    gather_batch(pool, data, std::span(rows).subspan(static_cast<std::size_t>(i % 3) * 100, 100), workspace);
    compute_gradient(pool, network, T(1.0 / 300), workspace);
    DeadUnits dead;
    EXPECT_TRUE(optimizer.step(pool, network, workspace,
                               {.angular = 0, .radial = step, .shrinkage = shrinkage}, state, dead));
    reference.step(gradients_of(workspace), rule, step, shrinkage);
    bury(network, state, dead, optimizer);
    if (i % 3 == 2) {
      grow(network, state, static_cast<std::uint32_t>(100 + i),
           [&](std::size_t layer, const Vector& fan_in) { reference.add(layer, fan_in); });
    }
    worst = std::max(worst, worst_difference(network, reference));
  }
  removed = reference.removed;
  return worst;
}

template <class T>
void check(double tolerance, int steps) {
  struct Case {
    const char* name;
    std::unique_ptr<Optimizer<T>> optimizer;
    Rule rule;
    double step;
    double shrinkage;
  };
  std::vector<Case> cases;
  cases.push_back({"sgd", std::make_unique<Sgd<T>>(), plain_rule, 10, 0.02});
  cases.push_back({"momentum", std::make_unique<Momentum<T>>(mean_rate, false), momentum_rule, 10, 0.02});
  cases.push_back({"nesterov", std::make_unique<Momentum<T>>(mean_rate, true), nesterov_rule, 10, 0.02});
  cases.push_back({"rmsprop", std::make_unique<RmsProp<T>>(square_rate, epsilon), rmsprop_rule, 0.003, 0});
  cases.push_back({"adam", std::make_unique<Adam<T>>(mean_rate, square_rate, epsilon), adam_rule, 0.003, 0});
  for (const Case& c : cases) {
    std::size_t removed = 0;
    EXPECT_LT(descend_beside_reference(*c.optimizer, c.rule, steps, c.step, c.shrinkage, removed), tolerance)
        << c.name;
    if (c.shrinkage > 0) {
      EXPECT_GT(removed, 20U) << c.name;
    }
  }
}

TEST(Descent, EqualsThePlainRulesInDouble) {
  check<double>(1e-9, 300);
}

TEST(Descent, FollowsThePlainRulesInFloat) {
  check<float>(1e-3, 150);
}

}  // namespace
}  // namespace coppice
