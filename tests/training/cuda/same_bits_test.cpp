#include "coppice/training/cuda_population.h"

#include "tests/gpu.h"
#include "tests/training/cuda/beside_cpu.h"

// Growing nets on a GPU have the same bits whether training goes on or is taken up again, alone or beside others.
namespace coppice {
namespace {

/// Layers soon pass 64 and 128 units, so that memory is made anew, tiles change and sums are cut into fewer parts.
TrainingOptions same_bits_options(Precision precision, OptimizerKind optimizer, double kinks) {
  TrainingOptions options;
  options.batch_size = 481;
  options.start_units = 40;
  options.add_units = 6;
  options.additions_per_epoch = 3;
  options.unit_lifetime = 4;
  options.angular_step = 3;
  options.patience = 8;
  options.fine_patience = 2;
  options.max_epochs = 14;
  options.precision = precision;
  options.optimizer = optimizer;
  if (test::under_a_tool()) {
    options.start_units = 124;
    options.max_epochs = 3;
  }
  options.kinks = kinks;
  return options;
}

struct Computed {
  Precision precision;
  OptimizerKind optimizer;
  std::size_t classes;
  std::size_t together = 0;  ///< many: products go to wgmma, where there is any
  double kinks = 0;
};

std::ostream& operator<<(std::ostream& out, const Computed& c) {
  return out << names_of<Precision>[static_cast<std::size_t>(c.precision)] << ' '
             << names_of<OptimizerKind>[static_cast<std::size_t>(c.optimizer)] << ", " << c.classes
             << " classes, " << c.together << " together, kinks " << c.kinks;
}

/// A test for each, since each takes long where a tool looks at every access to memory.
class GpuSameBits : public test::OnGpu, public ::testing::WithParamInterface<Computed> {};

INSTANTIATE_TEST_SUITE_P(Gpu, GpuSameBits,
                         ::testing::Values(Computed{Precision::tf32, OptimizerKind::adarad, 3},
                                           Computed{Precision::tf32, OptimizerKind::adarad, 3, 0, 1},
                                           Computed{Precision::tf32, OptimizerKind::adarad, 3, 256},
                                           Computed{Precision::tf32, OptimizerKind::adarad_m, 0, 40},
                                           Computed{Precision::fp32, OptimizerKind::adarad, 0},
                                           Computed{Precision::bf16, OptimizerKind::adarad, 3}));

void expect_same(const NetRun& a, const NetRun& b) {
  EXPECT_TRUE(a.current == b.current && a.kept == b.kept) << "net " << a.id;
}

TEST_P(GpuSameBits, WhenContinued) {
  const Computed& c = GetParam();
  const Problem problem(150, c.classes, 3003);
  TrainingOptions options = same_bits_options(c.precision, c.optimizer, c.kinks);
  options.nets_together = c.together;
  const Result whole = train_on(true, problem, options);
  std::size_t widest = 0;
  for (const EpochReport& report : whole.reports) widest = std::max(widest, report.hidden_units.front());
  EXPECT_GT(widest, 128U);
  Result pieces;
  for (const std::size_t epoch : {1, 3, 4, 5, 11, 14}) {
    if (epoch > options.max_epochs) break;
    TrainingOptions until = options;
    until.max_epochs = epoch;
    pieces = train_on(true, problem, until, pieces.runs);
  }
  for (std::size_t i = 0; i < whole.runs.size(); ++i) expect_same(pieces.runs[i], whole.runs[i]);
}

TEST_P(GpuSameBits, AloneAsAmongOthers) {
  const Computed& c = GetParam();
  const Problem problem(150, c.classes, 3003);
  TrainingOptions options = same_bits_options(c.precision, c.optimizer, c.kinks);
  options.nets_together = c.together > 0 ? c.together : problem.nets.size();
  ThreadPool pool(1);
  const std::vector<NetRun> start = problem.start(Trainer(pool, options));
  const Result together = train_on(true, problem, options, start);
  for (const std::size_t i : {0, 3}) {
    Problem alone(150, c.classes, 3003);
    alone.nets = {alone.nets[i]};
    const Result result = train_on(true, alone, options, {start[i]});
    expect_same(result.runs[0], together.runs[i]);
  }
}

}  // namespace
}  // namespace coppice
