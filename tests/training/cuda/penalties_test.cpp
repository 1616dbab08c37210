#include "coppice/training/regularizer.h"

#include "tests/gpu.h"
#include "tests/training/cuda/beside_cpu.h"

#include <fmt/format.h>

namespace coppice {
namespace {

using GpuPenalties = test::OnGpu;

constexpr OptimizerKind descending_kinds[] = {OptimizerKind::sgd, OptimizerKind::momentum,
                                              OptimizerKind::nesterov};
constexpr Fan fans[] = {Fan::fan_in, Fan::fan_out};

TrainingOptions penalty_options(OptimizerKind kind, Fan fan, std::size_t power) {
  TrainingOptions options = ten_steps();
  options.optimizer = kind;
  options.regularizer = {.fan = fan, .power = power, .layer_factors = {}};
  return options;
}

TEST_F(GpuPenalties, TenStepsEqualTheCpusWithEveryPenaltyThatADescentTakes) {
  for (const OptimizerKind kind : descending_kinds) {
    for (const Fan fan : fans) {
      for (const std::size_t power : {1U, 2U}) {
        SCOPED_TRACE(fmt::format("optimizer {} fan {} power {}", static_cast<int>(kind),
                                 static_cast<int>(fan), power));
        const Problem problem(13, kind == OptimizerKind::nesterov ? 0 : 3);
        TrainingOptions options = penalty_options(kind, fan, power);
        options.max_epochs = 1;
        if (kind == OptimizerKind::momentum) {
          options.activation = Activation::leaky_relu;
          options.hidden_layers = 3;
          options.regularizer.layer_factors = {1, 0.5, 2, 1};
        }
        const std::vector<NetRun> start = start_with_short_units(problem, options, 0.01F);
        const Result cpu = train_on(false, problem, options, start);
        const Result gpu = train_on(true, problem, options, start);
        const auto [births, deaths] = expect_equal(cpu, gpu, 2e-4);
        EXPECT_GT(deaths, 0U);
        EXPECT_GT(births, 10U);
      }
    }
  }
}

TEST_F(GpuPenalties, ALayerKeepsItsLastUnit) {
  for (const OptimizerKind kind : descending_kinds) {
    for (const Fan fan : fans) {
      for (const std::size_t power : {1U, 2U}) {
        const Problem problem;
        TrainingOptions options = penalty_options(kind, fan, power);
        options.step = 1e-3;  // nothing is learned, and one step shrinks by more than anything is long
        options.add_units = 0;
        options.max_epochs = 2;
        ThreadPool pool(1);
        std::vector<NetRun> runs;
        for (std::size_t i = 0; i < problem.nets.size(); ++i) {
          runs.push_back(Trainer(pool, options).start(i, 1e5, i, problem.nets[i]));
        }
        const Result cpu = train_on(false, problem, options, runs);
        const Result gpu = train_on(true, problem, options, runs);
        for (std::size_t i = 0; i < runs.size(); ++i) {
          SCOPED_TRACE(fmt::format("optimizer {} fan {} power {} net {}", static_cast<int>(kind),
                                   static_cast<int>(fan), power, i));
          EXPECT_EQ(gpu.runs[i].current.network.hidden_units(), (std::vector<std::size_t>{1, 1}));
          EXPECT_LT(relative_difference(cpu.runs[i].current, gpu.runs[i].current), 1e-4);
        }
      }
    }
  }
}

TEST_F(GpuPenalties, NetsFindASizeAndAreTheSameEveryTime) {
  for (const Fan fan : fans) {
    for (const std::size_t power : {1U, 2U}) {
      SCOPED_TRACE(fmt::format("fan {} power {}", static_cast<int>(fan), power));
      const Problem problem(13, 3, 2003);
      TrainingOptions options = penalty_options(OptimizerKind::momentum, fan, power);
      options.batch_size = 100;
      options.unit_lifetime = 20;
      options.additions_per_epoch = 1;
      options.step = 20;
      options.max_epochs = test::under_a_tool() ? 3 : 40;
      ThreadPool pool(1);
      std::vector<NetRun> runs;
      for (std::size_t i = 0; i < problem.nets.size(); ++i) {
        runs.push_back(Trainer(pool, options).start(i, power == 2 ? 5e-3 : 1e-3, i, problem.nets[i]));
      }
      const Result once = train_on(true, problem, options, runs);
      const Result again = train_on(true, problem, options, runs);
      std::size_t born = 0;
      std::size_t died = 0;
      for (const EpochReport& report : once.reports) {
        born += report.born.size();
        died += report.died.size();
      }
      if (!test::under_a_tool()) {
        EXPECT_GT(born, 50U);
        EXPECT_GT(died, 10U);
      }
      for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_TRUE(once.runs[i].current == again.runs[i].current);
        EXPECT_TRUE(once.runs[i].kept == again.runs[i].kept);
        if (!test::under_a_tool()) {
          EXPECT_LT(once.runs[i].kept.validation_error, 0.2);
        }
      }
    }
  }
}

}  // namespace
}  // namespace coppice
