// Rows with weights, and metrics that need all scores, on the GPU beside the CPU.
#include "tests/gpu.h"
#include "tests/training/cuda/beside_cpu.h"

namespace coppice {
namespace {

using GpuWeights = test::OnGpu;

void weigh(Problem& problem) {
  for (std::size_t i = 0; i < problem.data.rows(); ++i)
    problem.data.weights.push_back(0.25F + static_cast<float>(i % 7));
}

/// One epoch of the same nets.
void check_beside_cpu(const Problem& problem, TrainingOptions options, double tolerance = 2e-3) {
  options.max_epochs = 1;
  const Result cpu = train_on(false, problem, options);
  const Result gpu = train_on(true, problem, options);
  ASSERT_EQ(cpu.runs.size(), gpu.runs.size());
  for (std::size_t i = 0; i < cpu.runs.size(); ++i) {
    const NetState& expected = cpu.runs[i].current;
    const NetState& found = gpu.runs[i].current;
    EXPECT_NEAR(found.train_loss, expected.train_loss, 1e-4 * expected.train_loss) << i;
    EXPECT_NEAR(found.criterion, expected.criterion, 0.02) << i;
    EXPECT_NEAR(found.validation_error, expected.validation_error, 0.03) << i;
    ASSERT_EQ(found.network.hidden_units(), expected.network.hidden_units()) << i;
    for (std::size_t l = 0; l < expected.network.layers.size(); ++l) {
      EXPECT_LT(relative_difference(found.network.layers[l].weights, expected.network.layers[l].weights, 0.1),
                tolerance)
          << "net " << i << " layer " << l;
    }
  }
}

TEST_F(GpuWeights, OfClassesEqualTheCpus) {
  for (const Metric metric : {Metric::log_loss, Metric::auc, Metric::balanced_error, Metric::f1}) {
    Problem problem;
    weigh(problem);
    TrainingOptions options = ten_steps();
    options.metric = metric;
    options.break_ties = true;
    check_beside_cpu(problem, options);
  }
}

TEST_F(GpuWeights, OfNumbersEqualTheCpus) {
  for (const Metric metric : {Metric::rmse, Metric::mae}) {
    Problem problem(13, 0);
    weigh(problem);
    TrainingOptions options = ten_steps();
    options.metric = metric;
    check_beside_cpu(problem, options);
  }
}

TEST_F(GpuWeights, ScoresOfManyRowsComeBackInTheirOrder) {
  Problem problem(13, 3, 30011);  // several chunks of a validation
  weigh(problem);
  TrainingOptions options = ten_steps();
  options.batch_size = 5000;
  options.metric = Metric::auc;
  check_beside_cpu(problem, options, 0.03);  // sums of thousands of rows round differently
}

TEST_F(GpuWeights, BatchNormalisationTakesThemToo) {
  for (const Norm norm : {Norm::batchnorm, Norm::batchnorm_affine, Norm::none}) {
    Problem problem;
    weigh(problem);
    TrainingOptions options = ten_steps();
    options.fixed_size = {20, 10};
    options.optimizer = OptimizerKind::sgd;
    options.norm = norm;
    options.step = 1;
    check_beside_cpu(problem, options);
  }
}

}  // namespace
}  // namespace coppice
