#include "coppice/training/cuda_population.h"

#include "tests/gpu.h"
#include "tests/training/cuda/beside_cpu.h"

#include <cmath>

namespace coppice {
namespace {

using GpuPopulation = test::OnGpu;

/// Units come four times an epoch, and useless ones die within a few epochs.
TrainingOptions population_options() {
  TrainingOptions options = ten_steps();
  options.unit_lifetime = 2;
  options.angular_step = 3;
  return options;
}

TEST_F(GpuPopulation, TenStepsWithAdditionsAndRemovalsEqualTheCpus) {
  for (const auto& [optimizer, activation, classes, layers] :
       {std::tuple(OptimizerKind::adarad, Activation::relu, 3U, 2U),
        {OptimizerKind::adarad, Activation::leaky_relu, 3U, 1U},
        {OptimizerKind::adarad, Activation::tanh, 0U, 3U},
        {OptimizerKind::adarad_m, Activation::relu, 3U, 2U},
        {OptimizerKind::adarad_m, Activation::leaky_relu, 0U, 3U}}) {
    const Problem problem(13, classes);
    TrainingOptions options = population_options();
    options.max_epochs = 1;
    options.optimizer = optimizer;
    options.activation = activation;
    options.hidden_layers = layers;
    if (layers == 3) options.regularizer.layer_factors = {1.5, 1, 2, 0.5};
    // Gentle steps: with a lifetime of 10 and a larger angle, two runs on the CPU whose first weights differ by rounding
    // end up to 5e-3 apart; so, 1e-5.
    options.unit_lifetime = 50;
    options.angular_step = 0.2;
    options.angle = layers == 1 ? 0.05 : 0;
    const std::vector<NetRun> start = start_with_short_units(problem, options, 0.02F);
    const Result cpu = train_on(false, problem, options, start);
    const Result gpu = train_on(true, problem, options, start);
    const auto [births, deaths] = expect_equal(cpu, gpu, 1e-4);
    EXPECT_GT(deaths, 0U);
    EXPECT_GT(births, 10U);
  }
}

TEST_F(GpuPopulation, TenStepsOfNetsWithKinksEqualTheCpus) {
  for (const auto& [activation, classes, layers] :
       {std::tuple(Activation::relu, 3U, 2U), {Activation::tanh, 0U, 3U}, {Activation::abs, 3U, 1U}}) {
    const Problem problem(13, classes);
    TrainingOptions options = population_options();
    options.max_epochs = 1;
    options.kinks = 0.7;
    options.activation = activation;
    options.hidden_layers = layers;
    options.unit_lifetime = 50;
    options.angular_step = 0.2;
    const std::vector<NetRun> start = start_with_short_units(problem, options, 0.02F);
    const Result cpu = train_on(false, problem, options, start);
    const Result gpu = train_on(true, problem, options, start);
    const auto [births, deaths] = expect_equal(cpu, gpu, 1e-4);
    EXPECT_GT(deaths, 0U);
    EXPECT_GT(births, 10U);
  }
}

/// Units die and leave gaps, nets are rewound and grow out of their memory: every unit still has the kink it was born with.
TEST_F(GpuPopulation, UnitsKeepTheirKinks) {
  const Problem problem(13, 3, 1003);
  TrainingOptions options = population_options();
  options.kinks = 1;
  options.start_units = 30;
  options.add_units = 4;
  options.max_epochs = test::under_a_tool() ? 8 : 40;
  const Result result = train_on(true, problem, options);
  std::size_t died = 0;
  for (const EpochReport& report : result.reports) died += report.died.size();
  EXPECT_GT(died, test::under_a_tool() ? 0U : 200U);
  for (const NetRun& run : result.runs) {
    for (const NetState* state : {&run.current, &run.kept}) {
      for (std::size_t l = 0; l + 1 < state->network.layers.size(); ++l) {
        const Layer<float>& layer = state->network.layers[l];
        ASSERT_EQ(layer.kinks.size(), layer.units.size());
        for (std::size_t j = 0; j < layer.units.size(); ++j)
          ASSERT_EQ(layer.kinks[j], static_cast<float>(draw_kink(1, run.seed, l, layer.units[j])));
      }
    }
  }
}

TEST_F(GpuPopulation, AFullRunEndsWhereTheCpusDoes) {
  const Problem problem(13, 3, 2003);
  TrainingOptions options = population_options();
  options.batch_size = 100;
  options.unit_lifetime = 10;
  options.additions_per_epoch = 1;
  options.patience = 12;
  if (test::under_a_tool()) {
    options.patience = 1;
    options.unit_lifetime = 2;
  }
  const Result gpu = train_on(true, problem, options);
  for (const NetRun& run : gpu.runs) EXPECT_EQ(run.protocol.phase(), Phase::done);
  if (test::under_a_tool()) return;
  const Result cpu = train_on(false, problem, options);
  double sums[2] = {0, 0};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(gpu.runs[i].kept.validation_error, cpu.runs[i].kept.validation_error, 0.06);
    sums[0] += cpu.runs[i].kept.validation_error / 5;
    sums[1] += gpu.runs[i].kept.validation_error / 5;
  }
  EXPECT_NEAR(sums[0], sums[1], 0.025);
}

TEST_F(GpuPopulation, IsTheSameEveryTimeInEveryPrecision) {
  const Problem problem;
  for (const auto& [precision, optimizer] : {std::pair(Precision::fp32, OptimizerKind::adarad),
                                             {Precision::tf32, OptimizerKind::adarad},
                                             {Precision::tf32, OptimizerKind::adarad_m},
                                             {Precision::bf16, OptimizerKind::adarad}}) {
    TrainingOptions options = population_options();
    options.precision = precision;
    options.optimizer = optimizer;
    options.max_epochs = test::under_a_tool() ? 3 : 12;
    const Result once = train_on(true, problem, options);
    const Result again = train_on(true, problem, options);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_TRUE(once.runs[i].current == again.runs[i].current);
      EXPECT_TRUE(once.runs[i].kept == again.runs[i].kept);
    }
  }
}

TEST_F(GpuPopulation, ANetGoesFromDeviceToDevice) {
  const Problem problem;
  TrainingOptions options = population_options();
  options.angular_step = 0.3;
  options.max_epochs = 1;
  Result mixed = train_on(false, problem, options);
  Result cpu = train_on(false, problem, options);
  options.max_epochs = 2;
  mixed = train_on(true, problem, options, mixed.runs);
  options.max_epochs = 3;
  mixed = train_on(false, problem, options, mixed.runs);
  cpu = train_on(false, problem, options, cpu.runs);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(mixed.runs[i].epoch, 3U);
    EXPECT_LT(relative_difference(mixed.runs[i].current, cpu.runs[i].current), 1e-3) << "net " << i;
  }
}

TEST_F(GpuPopulation, ANetThatFailsDoesNotDisturbTheOthers) {
  Problem problem;
  TrainingOptions options = population_options();
  options.max_epochs = 5;
  for (std::size_t i = 0; i < 5;
       ++i) {  // row 1 is seen by the third net alone, and by the fifth's validation
    if (i != 2) std::erase(problem.nets[i].train_rows, 1U);
  }
  const Result well = train_on(true, problem, options);
  problem.data.inputs(1, 0) = INFINITY;
  const Result ill = train_on(true, problem, options);
  EXPECT_EQ(ill.runs[2].protocol.phase(), Phase::failed);
  EXPECT_EQ(ill.runs[2].epoch, 1U);
  for (const std::size_t i : {0U, 1U, 3U}) {
    EXPECT_EQ(ill.runs[i].epoch, 5U);
    EXPECT_TRUE(ill.runs[i].current == well.runs[i].current) << "net " << i;
  }
}

}  // namespace
}  // namespace coppice
