// What an epoch of AdaRad costs beside the matrix products that nobody can avoid: 784-200-40-10, batch 1000,
// 50,000 rows of noise (time does not depend on what the numbers are).
#include "coppice/core/random.h"
#include "coppice/device/product.h"
#include "coppice/training/trainer.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace coppice {
namespace {

constexpr std::size_t inputs = 784;
constexpr std::size_t rows = 50000;
constexpr std::size_t validation_rows = 10000;
constexpr std::size_t batch = 1000;
constexpr std::size_t classes = 10;

const Dataset& noise() {
  static const Dataset data = [] {
    Dataset d;
    d.inputs = Matrix<float>(rows + validation_rows, inputs);
    Random random(1, Purpose::generator);
    for (std::size_t i = 0; i < d.inputs.rows(); ++i) {
      for (float& value : d.inputs.row(i)) value = static_cast<float>(random.uniform() - 0.5);
      d.labels.push_back(static_cast<std::uint32_t>(random.below(classes)));
    }
    return d;
  }();
  return data;
}

NetData net_data() {
  NetData data{.train = &noise(),
               .train_rows = std::vector<std::uint32_t>(rows),
               .validation = &noise(),
               .validation_rows = std::vector<std::uint32_t>(validation_rows),
               .classes = classes};
  std::iota(data.train_rows.begin(), data.train_rows.end(), 0U);
  std::iota(data.validation_rows.begin(), data.validation_rows.end(), static_cast<std::uint32_t>(rows));
  return data;
}

/// One product of a training step, cut into tiles of its output's longer side as training does with units.
struct Shape {
  Op op_a;
  Op op_b;
  std::size_t m, n, k;
};
const std::vector<Shape> step_shapes{
    {Op::plain, Op::transposed, 200, batch, inputs}, {Op::plain, Op::plain, 40, batch, 200},
    {Op::plain, Op::plain, classes, batch, 40},      {Op::plain, Op::transposed, classes, 40, batch},
    {Op::transposed, Op::plain, 40, batch, classes}, {Op::plain, Op::transposed, 40, 200, batch},
    {Op::transposed, Op::plain, 200, batch, 40},     {Op::plain, Op::plain, 200, inputs, batch}};

void bare_products(benchmark::State& state) {
  ThreadPool pool(static_cast<std::size_t>(state.range(0)));
  std::vector<Matrix<float>> a;
  std::vector<Matrix<float>> b;
  std::vector<Matrix<float>> c;
  for (const Shape& s : step_shapes) {
    a.emplace_back(s.op_a == Op::plain ? s.m : s.k, s.op_a == Op::plain ? s.k : s.m);
    b.emplace_back(s.op_b == Op::plain ? s.k : s.n, s.op_b == Op::plain ? s.n : s.k);
    c.emplace_back(s.m, s.n);
  }
  for (auto _ : state) {
    for (std::size_t step = 0; step < rows / batch; ++step) {
      for (std::size_t i = 0; i < step_shapes.size(); ++i) {
        const Shape& s = step_shapes[i];
        pool.parallel_for(tiles(s.m, unit_tile), [&](std::size_t tile) {
          const std::size_t first = tile * unit_tile;
          const std::size_t count = std::min(unit_tile, s.m - first);
          const View<const float> all = std::as_const(a[i]).view();
          product(s.op_a, s.op_a == Op::plain ? all.block(first, count) : all.columns(first, count), s.op_b,
                  std::as_const(b[i]).view(), c[i].view().block(first, count));
        });
      }
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * rows));
}

void adarad_epoch(benchmark::State& state) {
  ThreadPool pool(static_cast<std::size_t>(state.range(0)));
  TrainingOptions options;
  options.start_units = 40;
  options.add_units = 0;
  const Trainer trainer(pool, options);
  const NetData data = net_data();
  NetRun start = trainer.start(0, 1e-4, 1, data);
  start.current.network = make_network<float>(
      {.inputs = inputs, .outputs = classes, .hidden = {200, 40}, .activation = Activation::relu}, 1);
  for (std::size_t l = 0; l < start.current.network.layers.size(); ++l) {
    const std::size_t units = start.current.network.layers[l].weights.rows();
    start.current.optimizer.layers[l] = {std::vector<double>(units), std::vector<double>(units)};
  }
  Workspace<float> workspace;
  for (auto _ : state) {
    NetRun run = start;
    benchmark::DoNotOptimize(trainer.train_epoch(run, data, workspace, {}));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * rows));
}

BENCHMARK(bare_products)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(adarad_epoch)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace coppice

BENCHMARK_MAIN();
