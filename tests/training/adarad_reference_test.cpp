#include "tests/training/beside_reference.h"

namespace coppice {
namespace {

template <class T>
class CpuStepper {
 public:
  using Number = T;
  CpuStepper(Network<T> network, double mixing_rate, double epsilon)
      : network_(std::move(network)), adarad_(mixing_rate, epsilon), state_(adarad_.start(network_)) {}

  const Network<T>& network() const { return network_; }
  const OptimizerStateOf<T>& state() const { return state_; }
  const StepTally& tally() const { return tally_; }

  void advance(Workspace<T>& workspace, const StepSizes& sizes, const std::vector<Addition>& additions) {
    ThreadPool pool(1);
    DeadUnits dead;
    workspace.tallies.clear();
    EXPECT_TRUE(adarad_.step(pool, network_, workspace, sizes, state_, dead));
    for (const StepTally& tally : workspace.tallies) tally_ += tally;
    for (std::size_t l = 0; l < dead.size(); ++l) {
      apply(l, [&](std::size_t j) { return !std::ranges::binary_search(dead[l], j); }, {});
    }
    for (const Addition& addition : additions) {
      apply(addition.layer, [](std::size_t) { return true; }, {addition.unit});
      Matrix<T>& weights = network_.layers[addition.layer].weights;
      draw_fan_in(weights.row(weights.rows() - 1), Birth::added, addition_seed, addition.layer,
                  addition.unit);
    }
  }

 private:
  template <class Keep>
  void apply(std::size_t layer, const Keep& keep, std::vector<std::uint32_t> added) {
    ResizePlan plan{.layer = layer, .keep = {}, .added = std::move(added)};
    for (std::size_t j = 0; j < network_.layers[layer].units.size(); ++j) {
      if (keep(j)) plan.keep.push_back(j);
    }
    resize(network_, plan);
    state_.resize(plan);
  }

  Network<T> network_;
  AdaRad<T> adarad_;
  OptimizerStateOf<T> state_;
  StepTally tally_ = {};
};

TEST(Adarad, EqualsTheAlgorithmOfThePaperInDouble) {
  std::size_t removed = 0;
  EXPECT_LT(train_beside_reference<CpuStepper<double>>(600, removed), 1e-9);
  EXPECT_GT(removed, 50U);
}

TEST(Adarad, WithAnAngleEqualsTheAlgorithmWithThatNormInDouble) {
  std::size_t removed = 0;
  EXPECT_LT(train_beside_reference<CpuStepper<double>>(600, removed, {.angular = 0.05, .by_angle = true}),
            1e-9);
  EXPECT_GT(removed, 50U);
}

/// Beyond a quarter turn cosines are negative, beyond half a turn sines.
TEST(Adarad, LargeAnglesEqualTheAlgorithmOfThePaperToo) {
  for (const Turning& turning :
       {Turning{.angular = 300}, {.angular = 1.2, .by_angle = true}, {.angular = 2.5, .by_angle = true}}) {
    std::size_t removed = 0;
    EXPECT_LT(train_beside_reference<CpuStepper<double>>(300, removed, turning), 1e-9) << turning.angular;
    EXPECT_GT(removed, 20U);
    EXPECT_LT(train_beside_reference<CpuStepper<float>>(150, removed, turning), 1e-3) << turning.angular;
  }
}

/// A radial step so large that factors are negative and lengths explode; kept where they are trusted, none is turned
/// around. Where lengths may change much, rounding grows quickly: few steps.
TEST(Adarad, ATrustRegionAndWhatIsCountedEqualTheAlgorithmToo) {
  for (const double trust : {0.0, 1.05, 2.0}) {
    std::size_t removed = 0;
    StepTally tally;
    const Turning turning{.angular = 0.05,
                          .by_angle = true,
                          .trust = trust,
                          .relative_epsilon = trust == 2 ? 0.01 : 0,
                          .lambda = 3e-6,
                          .tally = &tally};
    EXPECT_LT(train_beside_reference<CpuStepper<double>>(trust == 1.05 ? 300 : 30, removed, turning), 1e-6)
        << trust;
    EXPECT_EQ(tally.flips > 0, trust == 0);
    EXPECT_EQ(tally.held > 20, trust > 0);
  }
}

TEST(Adarad, ARelativeEpsilonEqualsTheAlgorithmWithIt) {
  std::size_t removed = 0;
  EXPECT_LT(train_beside_reference<CpuStepper<double>>(300, removed, {.relative_epsilon = 0.3}), 1e-9);
  EXPECT_GT(removed, 20U);
}

/// At a lambda where lengths pass 1: there the rule decides which units end, so that their numbers differ by a tenth, whatever rounding
/// does to single ones.
TEST(Adarad, ShrinkageRelativeToLengthEqualsTheAlgorithmWithIt) {
  std::size_t removed = 0;
  std::size_t without = 0;
  const Turning turning{.angular = 0.05, .by_angle = true, .relative_shrinkage = true, .lambda = 3e-5};
  Turning plain = turning;
  plain.relative_shrinkage = false;
  EXPECT_LT(train_beside_reference<CpuStepper<double>>(900, removed, turning), 1e-6);
  EXPECT_LT(train_beside_reference<CpuStepper<double>>(900, without, plain), 1e-6);
  EXPECT_NE(removed, without);
  EXPECT_LT(train_beside_reference<CpuStepper<float>>(60, removed, turning), 1e-2);
}

TEST(Adarad, AForgottenPeakEqualsTheAlgorithmThatForgets) {
  std::size_t removed = 0;
  EXPECT_LT(train_beside_reference<CpuStepper<double>>(300, removed, {.peak_decay = 0.99}), 1e-9);
  EXPECT_GT(removed, 20U);
  EXPECT_LT(train_beside_reference<CpuStepper<float>>(150, removed,
                                                      {.relative_shrinkage = true, .peak_decay = 0.99}),
            1e-3);
}

/// At a lambda where the plain factor turns units around.
TEST(Adarad, AnExponentialRadialRuleEqualsTheAlgorithmWithItAndTurnsNoUnitAround) {
  for (const double trust : {0.0, 1.5}) {
    std::size_t removed = 0;
    StepTally tally;
    const Turning turning{.angular = 0.05,
                          .by_angle = true,
                          .trust = trust,
                          .exponential = true,
                          .lambda = 3e-5,
                          .tally = &tally};
    EXPECT_LT(train_beside_reference<CpuStepper<double>>(100, removed, turning), 1e-6);
    EXPECT_EQ(tally.flips, 0U);
    EXPECT_EQ(tally.held > 0, trust > 0);
  }
  std::size_t removed = 0;
  StepTally plain;
  train_beside_reference<CpuStepper<double>>(
      30, removed, {.angular = 0.05, .by_angle = true, .lambda = 3e-5, .tally = &plain});
  EXPECT_GT(plain.flips, 0U);
}

TEST(Adarad, FollowsTheAlgorithmOfThePaperInFloat) {
  std::size_t removed = 0;
  EXPECT_LT(train_beside_reference<CpuStepper<float>>(300, removed), 1e-3);
  EXPECT_GT(removed, 20U);
}

}  // namespace
}  // namespace coppice
