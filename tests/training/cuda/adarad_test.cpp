#include "coppice/device/cuda/adarad.h"

#include "tests/gpu.h"
#include "tests/training/cuda/gpu_stepper.h"

namespace coppice {
namespace {

using GpuAdarad = test::OnGpu;

class AdaradStepper : public GpuStepper {
 public:
  AdaradStepper(Network<float> network, double mixing_rate, double epsilon)
      : GpuStepper(std::move(network), options(mixing_rate, epsilon)) {}

 private:
  static TrainingOptions options(double mixing_rate, double epsilon) {
    TrainingOptions options;
    options.mixing_rate = mixing_rate;
    options.epsilon = epsilon;
    return options;
  }
};

TEST_F(GpuAdarad, FollowsTheAlgorithmOfThePaper) {
  std::size_t removed = 0;
  EXPECT_LT(train_beside_reference<AdaradStepper>(300, removed), 1e-3);
  EXPECT_GT(removed, 20U);
}

TEST_F(GpuAdarad, WithAnAngleFollowsTheAlgorithmWithThatNorm) {
  std::size_t removed = 0;
  EXPECT_LT(train_beside_reference<AdaradStepper>(300, removed, {.angular = 0.05, .by_angle = true}), 1e-3);
  EXPECT_GT(removed, 20U);
}

TEST_F(GpuAdarad, ATrustRegionAndWhatIsCountedFollowTheAlgorithmToo) {
  for (const double trust : {0.0, 1.05, 2.0}) {
    std::size_t removed = 0;
    StepTally tally;
    const Turning turning{.angular = 0.05,
                          .by_angle = true,
                          .trust = trust,
                          .relative_epsilon = trust == 2 ? 0.01 : 0,
                          .lambda = 3e-6,
                          .tally = &tally};
    EXPECT_LT(train_beside_reference<AdaradStepper>(trust == 1.05 ? 100 : 10, removed, turning), 1e-2)
        << trust;
    EXPECT_EQ(tally.held > 20, trust > 0);
    EXPECT_EQ(tally.flips > 0, trust == 0);
  }
}

TEST_F(GpuAdarad, ShrinkageRelativeToLengthAndAForgottenPeakFollowTheAlgorithm) {
  std::size_t removed = 0;
  EXPECT_LT(
      train_beside_reference<AdaradStepper>(150, removed, {.relative_shrinkage = true, .peak_decay = 0.99}),
      1e-3);
  EXPECT_GT(removed, 20U);
  const Turning long_ones{.angular = 0.05, .by_angle = true, .relative_shrinkage = true, .lambda = 3e-4};
  EXPECT_LT(train_beside_reference<AdaradStepper>(60, removed, long_ones), 1e-2);
}

/// Beyond a quarter turn cosines are negative, beyond half a turn sines; outputs die and come back.
TEST_F(GpuAdarad, LargeAnglesFollowTheAlgorithmToo) {
  for (const Turning& turning :
       {Turning{.angular = 300}, {.angular = 1.2, .by_angle = true}, {.angular = 2.5, .by_angle = true}}) {
    std::size_t removed = 0;
    EXPECT_LT(train_beside_reference<AdaradStepper>(150, removed, turning), 1e-3) << turning.angular;
    EXPECT_GT(removed, 20U) << turning.angular;
  }
}

TEST_F(GpuAdarad, AnExponentialRadialRuleFollowsTheAlgorithmWithIt) {
  std::size_t removed = 0;
  StepTally tally;
  const Turning turning{
      .angular = 0.05, .by_angle = true, .exponential = true, .lambda = 3e-5, .tally = &tally};
  EXPECT_LT(train_beside_reference<AdaradStepper>(60, removed, turning), 1e-2);
  EXPECT_EQ(tally.flips, 0U);
}

}  // namespace
}  // namespace coppice
