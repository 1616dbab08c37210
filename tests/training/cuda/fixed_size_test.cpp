#include "coppice/training/cuda/nets.h"
#include "coppice/training/cuda_population.h"

#include "tests/device/random_matrix.h"
#include "tests/gpu.h"
#include "tests/training/cuda/beside_cpu.h"

#include <fmt/format.h>

namespace coppice {
namespace {

using GpuFixedSize = test::OnGpu;

constexpr OptimizerKind kinds[] = {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::nesterov,
                                   OptimizerKind::rmsprop, OptimizerKind::adam};
constexpr Norm norms[] = {Norm::capnorm, Norm::batchnorm, Norm::batchnorm_affine, Norm::none};

TrainingOptions fixed_size_options(OptimizerKind kind, Norm norm) {
  TrainingOptions options;
  options.fixed_size = {20, 10};
  options.optimizer = kind;
  options.norm = norm;
  options.batch_size = 41;  // ten steps per epoch
  options.patience = 2;
  options.fine_patience = 1;
  options.precision = Precision::fp32;
  const bool normalised = kind == OptimizerKind::rmsprop || kind == OptimizerKind::adam;
  options.step = normalised ? 0.003 : 1;
  // The direction of a gradient that is nothing but rounding must not count: it differs between devices.
  options.epsilon = 1e-4;
  return options;
}

/// Nets of different widths and steps.
std::vector<NetRun> start_fixed(const Problem& problem, const TrainingOptions& options, double lambda = 0) {
  const std::vector<std::size_t> sizes[] = {{20, 10}, {3, 40}, {70, 5}, {1, 6}, {33, 33}};
  ThreadPool pool(1);
  std::vector<NetRun> runs;
  for (std::size_t id = 0; id < problem.nets.size(); ++id) {
    TrainingOptions own = options;
    own.fixed_size = sizes[id];
    own.step = options.step * (1 + static_cast<double>(id) / 2);
    runs.push_back(Trainer(pool, own).start(id, lambda, id, problem.nets[id]));
  }
  return runs;
}

std::string name_of(OptimizerKind kind, Norm norm, std::size_t net) {
  return fmt::format("optimizer {} norm {} net {}", static_cast<int>(kind), static_cast<int>(norm), net);
}

TEST_F(GpuFixedSize, TenStepsEqualTheCpusWithEveryOptimizerAndNorm) {
  for (const OptimizerKind kind : kinds) {
    for (const Norm norm : norms) {
      const Problem problem;
      TrainingOptions options = fixed_size_options(kind, norm);
      options.max_epochs = 1;
      const std::vector<NetRun> from = start_fixed(problem, options);
      const Result cpu = train_on(false, problem, options, from);
      const Result gpu = train_on(true, problem, options, from);
      for (std::size_t i = 0; i < from.size(); ++i) {
        const std::string what = name_of(kind, norm, i);
        EXPECT_EQ(gpu.runs[i].steps, 10U) << what;
        EXPECT_LT(relative_difference(cpu.runs[i].current, gpu.runs[i].current), 2e-4) << what;
        EXPECT_GT(relative_difference(from[i].current, gpu.runs[i].current), 1e-3) << what;
        EXPECT_NEAR(cpu.runs[i].current.train_loss, gpu.runs[i].current.train_loss,
                    1e-4 * cpu.runs[i].current.train_loss)
            << what;
        EXPECT_NEAR(cpu.runs[i].current.validation_error, gpu.runs[i].current.validation_error, 0.021)
            << what;
      }
    }
  }
}

/// Shrinkage that is not rescaled, by so much that units die.
TEST_F(GpuFixedSize, TenStepsEqualTheCpusWithAPenaltyBesideRescaledGradients) {
  for (const OptimizerKind kind : {OptimizerKind::rmsprop, OptimizerKind::adam}) {
    const Problem problem;
    TrainingOptions options = fixed_size_options(kind, Norm::capnorm);
    options.max_epochs = 1;
    const std::vector<NetRun> from = start_fixed(problem, options, 400);
    const Result cpu = train_on(false, problem, options, from);
    const Result gpu = train_on(true, problem, options, from);
    bool died = false;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::string what = name_of(kind, Norm::capnorm, i);
      EXPECT_LT(relative_difference(cpu.runs[i].current, gpu.runs[i].current), 2e-4) << what;
      died = died || gpu.runs[i].current.network.hidden_units() != from[i].current.network.hidden_units();
    }
    EXPECT_TRUE(died) << static_cast<int>(kind);
  }
}

TEST_F(GpuFixedSize, AdaradTrainsWithOtherNormsToo) {
  for (const Norm norm : {Norm::batchnorm, Norm::none}) {
    const Problem problem(13, 0);
    TrainingOptions options = fixed_size_options(OptimizerKind::adarad, norm);
    options.activation = Activation::tanh;
    options.radial_step = 1;
    options.angular_step = 0.2;
    options.max_epochs = 1;
    const std::vector<NetRun> from = start_fixed(problem, options);
    const Result cpu = train_on(false, problem, options, from);
    const Result gpu = train_on(true, problem, options, from);
    for (std::size_t i = 0; i < from.size(); ++i) {
      EXPECT_LT(relative_difference(cpu.runs[i].current, gpu.runs[i].current), 2e-4)
          << name_of(options.optimizer, norm, i);
    }
  }
}

TEST_F(GpuFixedSize, SmoothedLabelsAndCappedOutputsEqualTheCpus) {
  for (const bool capped : {false, true}) {
    for (const double smoothing : {0.0, 0.3}) {
      const Problem problem;
      TrainingOptions options = fixed_size_options(OptimizerKind::momentum, Norm::batchnorm);
      options.capped_batchnorm = capped;
      options.label_smoothing = smoothing;
      options.max_epochs = 1;
      const std::vector<NetRun> from = start_fixed(problem, options);
      const Result cpu = train_on(false, problem, options, from);
      const Result gpu = train_on(true, problem, options, from);
      TrainingOptions other_options = options;
      other_options.label_smoothing = smoothing > 0 ? 0 : 0.3;
      const Result other = train_on(true, problem, other_options, from);
      for (std::size_t i = 0; i < from.size(); ++i) {
        const std::string what = fmt::format("capped {} smoothed {} net {}", capped, smoothing, i);
        EXPECT_LT(relative_difference(cpu.runs[i].current, gpu.runs[i].current), 2e-4) << what;
        EXPECT_GT(relative_difference(other.runs[i].current, gpu.runs[i].current), 1e-3) << what;
      }
    }
  }
}

TEST_F(GpuFixedSize, ANetIsTheSameAloneAsAmongOthers) {
  for (const auto& [kind, norm] :
       {std::pair(OptimizerKind::adam, Norm::batchnorm_affine), {OptimizerKind::nesterov, Norm::capnorm}}) {
    const Problem problem;
    TrainingOptions options = fixed_size_options(kind, norm);
    options.max_epochs = test::under_a_tool() ? 4 : 12;
    const std::vector<NetRun> from = start_fixed(problem, options);
    const Result together = train_on(true, problem, options, from);
    for (std::size_t i = 0; i < from.size(); ++i) {
      Problem alone;
      alone.nets = {problem.nets[i]};
      alone.nets[0].train = alone.nets[0].validation = &alone.data;
      const Result result = train_on(true, alone, options, {from[i]});
      EXPECT_TRUE(result.runs[0].current == together.runs[i].current) << name_of(kind, norm, i);
      EXPECT_TRUE(result.runs[0].kept == together.runs[i].kept) << name_of(kind, norm, i);
    }
  }
}

TEST_F(GpuFixedSize, IsTheSameEveryTimeAndWhenContinued) {
  for (const OptimizerKind kind : kinds) {
    const Problem problem;
    TrainingOptions options = fixed_size_options(kind, Norm::batchnorm_affine);
    const std::size_t epochs = test::under_a_tool() ? 6 : 15;
    options.max_epochs = epochs;
    const std::vector<NetRun> from = start_fixed(problem, options);
    const Result once = train_on(true, problem, options, from);
    std::size_t rewinds = 0;
    for (const EpochReport& report : once.reports) rewinds += report.rewound_to ? 1 : 0;
    if (!test::under_a_tool()) {
      EXPECT_GT(rewinds, 0U);
    }
    const Result again = train_on(true, problem, options, from);
    options.max_epochs = epochs * 2 / 5;
    Result continued = train_on(true, problem, options, from);
    options.max_epochs = epochs;
    continued = train_on(true, problem, options, continued.runs);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::string what = name_of(kind, options.norm, i);
      EXPECT_TRUE(once.runs[i].current == again.runs[i].current) << what;
      EXPECT_TRUE(once.runs[i].kept == again.runs[i].kept) << what;
      EXPECT_TRUE(once.runs[i].kept == continued.runs[i].kept) << what;
    }
  }
}

TEST_F(GpuFixedSize, ANetWhoseWeightsOverflowFailsAndNoOther) {
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam}) {
    const Problem problem;
    TrainingOptions options = fixed_size_options(kind, Norm::none);
    options.max_epochs = 3;
    std::vector<NetRun> from = start_fixed(problem, options);
    const Result well = train_on(true, problem, options, from);
    options.step = 3e38;
    from[2] = start_fixed(problem, options)[2];
    const Result ill = train_on(true, problem, options, from);
    for (std::size_t i = 0; i < from.size(); ++i) {
      EXPECT_EQ(ill.runs[i].protocol.phase() == Phase::failed, i == 2) << name_of(kind, Norm::none, i);
      if (i != 2) {
        EXPECT_TRUE(ill.runs[i].current == well.runs[i].current);
      }
    }
    EXPECT_TRUE(ill.runs[2].current.network == from[2].current.network) << "rewound to where it began";
  }
}

TEST_F(GpuFixedSize, EverythingComesBackFromTheGpuAsItWasPut) {
  for (const OptimizerKind kind : {OptimizerKind::adarad, OptimizerKind::momentum, OptimizerKind::adam}) {
    const NetworkShape shape{.inputs = 13,
                             .outputs = 3,
                             .hidden = {7, 40},
                             .norm = Norm::batchnorm_affine,
                             .output_capnorm = false};
    TrainingOptions options;
    options.optimizer = kind;
    std::uint64_t seed = 0;
    const auto state = [&] {
      NetState result;
      result.network = make_network<float>(shape, ++seed);
      result.optimizer = make_optimizer(options)->start(result.network);
      for (std::size_t l = 0; l < 3; ++l) {
        OptimizerState::LayerState& numbers = result.optimizer.layers[l];
        for (Matrix<float>* matrix : {&result.network.layers[l].affine, &numbers.mean, &numbers.square,
                                      &numbers.affine_mean, &numbers.affine_square}) {
          *matrix = random_matrix<float>(matrix->rows(), matrix->cols(), ++seed);
        }
        for (std::vector<double>* values : {&numbers.average, &numbers.capacity, &numbers.mean_capacity}) {
          for (double& value : *values) value = static_cast<double>(++seed) / 7;
        }
      }
      result.optimizer.largest_average = static_cast<double>(seed);
      result.optimizer.largest_capacity = static_cast<double>(seed) / 3;
      return result;
    };
    const cuda::Stream stream;
    const NetState first = state();
    const NetState second = state();
    const cuda::Nets nets(first.network, 2, 41, {32, 64, 3}, cuda::memory_for(kind, shape.norm), 2, stream);
    nets.put(0, first, cuda::Version::current);
    nets.put(1, second, cuda::Version::current);
    nets.put(1, first, cuda::Version::kept);
    nets.copy_version(0, cuda::Version::current, cuda::Version::kept);
    for (const std::size_t net : {0U, 1U}) {
      for (const cuda::Version version : {cuda::Version::current, cuda::Version::kept}) {
        const NetState& put = net == 1 && version == cuda::Version::current ? second : first;
        NetState got = put;
        cuda::strip(got);
        nets.get(net, got, version);
        EXPECT_TRUE(got.network == put.network) << net;
        EXPECT_TRUE(got.optimizer == put.optimizer) << net;
      }
    }
  }
}

}  // namespace
}  // namespace coppice
