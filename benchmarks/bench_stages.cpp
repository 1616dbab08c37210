// The stages of a training step of 784-200-40-10 with batches of 1000, each alone, with one thread and with two:
// where the time of an epoch goes. The stages are the functions that training itself calls, on all layers.
#include "coppice/device/capnorm.h"
#include "coppice/network/gradient.h"
#include "coppice/network/passes.h"
#include "coppice/training/adarad.h"

#include "benchmarks/workload.h"

#include <utility>

#include <benchmark/benchmark.h>

namespace coppice {
namespace {

/// A network after one gradient: every buffer is filled.
struct Step {
  Workload work = mnist_net();
  Dataset data;
  NetData net;
  ThreadPool pool;
  Network<float> network;
  Workspace<float> workspace;

  explicit Step(std::size_t threads)
      : data(noise(work)),
        net(net_data(work, data)),
        pool(threads),
        network(make_network<float>(
            {.inputs = work.inputs(), .outputs = work.classes(), .hidden = work.hidden()}, 1)) {
    gather();
    compute_gradient(pool, network, 1e-5F, workspace);
  }

  void gather() {
    // rows far apart, as a shuffled order has them
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < work.batch; ++i)
      rows.push_back(static_cast<std::uint32_t>((i * 7919 + shift_) % work.rows));
    shift_ += work.batch * 31;
    gather_batch(pool, data, rows, workspace);
  }

  View<const float> input_of(std::size_t layer) const {
    return layer == 0 ? workspace.inputs.view() : workspace.layers[layer - 1].x.view();
  }

 private:
  std::size_t shift_ = 0;
};

template <void (*Stage)(Step&)>
void stage(benchmark::State& state) {
  Step step(static_cast<std::size_t>(state.range(0)));
  for ([[maybe_unused]] auto _ : state) Stage(step);  // NOLINT(clang-analyzer-deadcode.DeadStores)
}

void gather_rows_of_batch(Step& s) {
  s.gather();
}

template <Precision P>
void products(Step& s) {
  const Compute compute(s.pool, P);
  for (std::size_t l = 0; l < s.work.layers(); ++l) {
    LayerBuffers<float>& buffers = s.workspace.layers[l];
    const View<const float> gradient = std::as_const(buffers.gradient).view();
    linear(compute, s.network, l, s.input_of(l), buffers.y.view());
    product_in_blocks(compute, Op::plain, gradient, l == 0 ? Op::plain : Op::transposed, s.input_of(l),
                      buffers.weight_gradient.view());
    if (l > 0) {
      product_in_blocks(compute, Op::transposed, std::as_const(s.network).layers[l].weights.view(), Op::plain,
                        gradient, s.workspace.layers[l - 1].gradient.view());
    }
  }
}

void capnorm_forward_all(Step& s) {
  for (std::size_t l = 0; l < s.work.layers(); ++l) {
    LayerBuffers<float>& buffers = s.workspace.layers[l];
    const View<float> y = buffers.y;
    const View<float> x = l + 1 < s.work.layers() ? buffers.x.view() : y;
    for_unit_tiles(s.pool, y.rows, [&](std::size_t first, std::size_t count) {
      capnorm_forward(y.block(first, count), true, s.network.activation_of(l), x.block(first, count),
                      std::span(buffers.mean).subspan(first, count),
                      std::span(buffers.divisor).subspan(first, count));
    });
  }
}

void loss(Step& s) {
  benchmark::DoNotOptimize(loss_of_outputs(s.pool, s.network, true, 1e-5F, s.workspace));
}

void capnorm_backward_all(Step& s) {
  for (std::size_t l = 0; l < s.work.layers(); ++l) {
    LayerBuffers<float>& buffers = s.workspace.layers[l];
    const View<const float> y = std::as_const(buffers.y).view();
    const View<const float> x = l + 1 < s.work.layers() ? std::as_const(buffers.x).view() : y;
    for_unit_tiles(s.pool, y.rows, [&](std::size_t first, std::size_t count) {
      capnorm_backward(buffers.gradient.view().block(first, count), true, s.network.activation_of(l),
                       y.block(first, count), x.block(first, count),
                       std::span<const float>(buffers.divisor).subspan(first, count));
    });
  }
}

void adarad_step(Step& s) {
  const AdaRad<float> adarad(0.005, 1e-8);
  OptimizerState state = zero_state(s.network);
  DeadUnits dead;
  if (!adarad.step(s.pool, s.network, s.workspace, {.angular = 1e-6, .radial = 1e-6, .shrinkage = 1e-9},
                   state, dead)) {
    std::abort();
  }
}

void whole_gradient(Step& s) {
  s.gather();
  benchmark::DoNotOptimize(compute_gradient(s.pool, s.network, 1e-5F, s.workspace));
}

#define COPPICE_STAGE(name) \
  BENCHMARK(stage<name>)->Name(#name)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime()
COPPICE_STAGE(gather_rows_of_batch);
COPPICE_STAGE(products<Precision::fp32>);
COPPICE_STAGE(products<Precision::bf16>);
COPPICE_STAGE(capnorm_forward_all);
COPPICE_STAGE(loss);
COPPICE_STAGE(capnorm_backward_all);
COPPICE_STAGE(adarad_step);
COPPICE_STAGE(whole_gradient);

}  // namespace
}  // namespace coppice

BENCHMARK_MAIN();
