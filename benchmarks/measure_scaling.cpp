#include "coppice/training/adarad.h"
#include "coppice/training/sgd.h"

#include "benchmarks/measures.h"
#include "benchmarks/workload.h"

#include <fmt/format.h>

namespace coppice {

namespace {

/// Median seconds of an epoch's steps.
double epoch_seconds(ThreadPool& pool, const Workload& work) {
  const Dataset rows = noise(work);
  const NetData data = net_data(work, rows);
  const Trainer trainer(pool, training_options(work));
  Workspace<float> workspace;
  const NetRun start = start_run(trainer, work, data);
  const Turns turns({[&] {
                      NetRun run = start;
                      EpochReport report;
                      trainer.train_steps(run, data, workspace, {}, report);
                    }},
                    3);
  return turns.time(0).median;
}

std::vector<std::string> scaling_row(ThreadPool& pool, const Workload& work) {
  const double time = epoch_seconds(pool, work);
  return {work.name(), fmt::to_string(work.rows), fmt::format("{:.4f}", time),
          fmt::format("{:.2f}", time / static_cast<double>(work.rows) * 1e6),
          fmt::format("{:.0f}", 2 * work.multiplications() / time * 1e-9)};
}

const std::vector<std::string> scaling_heading{"net", "rows", "s per epoch", "us per row", "GFLOP/s"};

}  // namespace

Series rows_series(const Plan& plan) {
  ThreadPool pool(plan.threads);
  Series series{fmt::format("rows, {} threads", plan.threads), scaling_heading, {}};
  for (Workload work : {mnist_net(), poker_net()}) {
    const std::size_t most = work.inputs() > 100 ? 50000 : 500000;
    for (const std::size_t rows : {most / 10, most}) {
      work.rows = rows;
      series.rows.push_back(scaling_row(pool, work));
    }
  }
  return series;
}

Series width_series(const Plan& plan) {
  ThreadPool pool(plan.threads);
  Series series{fmt::format("widths, {} threads", plan.threads), scaling_heading, {}};
  Workload work = mnist_net();
  work.rows = 10000;
  for (const std::size_t width : {64, 128, 256, 512, 1024, 2048}) {
    work.widths[1] = width;
    series.rows.push_back(scaling_row(pool, work));
  }
  return series;
}

Series cost_series(const Plan& plan) {
  const Workload work = mnist_net();
  ThreadPool pool(1);
  const Network<float> network =
      make_network<float>({.inputs = work.inputs(), .outputs = work.classes(), .hidden = work.hidden()}, 1);
  Workspace<float> workspace;
  for (const Layer<float>& layer : network.layers) {
    workspace.layers.emplace_back().weight_gradient = layer.weights;
  }
  const AdaRad<float> adarad(0.005, 1e-8);
  const Sgd<float> sgd;
  struct Row {
    std::string name;
    const Optimizer<float>* optimizer;
    double shrinkage;
    std::string paper;
    std::string ours;
  };
  const std::vector<Row> rows{{"SGD", &sgd, 0, "1", "2"},
                              {"SGD with shrinkage", &sgd, 1e-9, "3", "5"},
                              {"AdaRad with shrinkage", &adarad, 1e-9, "4", "5"}};
  constexpr std::size_t steps = 200;
  std::vector<std::function<void()>> contestants;
  for (const Row& row : rows) {
    contestants.emplace_back([&] {
      Network<float> net = network;
      OptimizerState state = row.optimizer->start(net);
      DeadUnits dead;
      for (std::size_t i = 0; i < steps; ++i) {
        if (!row.optimizer->step(pool, net, workspace,
                                 {.angular = 1e-3, .radial = 1e-6, .shrinkage = row.shrinkage}, state,
                                 dead)) {
          return;
        }
      }
    });
  }
  const Turns turns(contestants, plan.rounds);
  Series series{"cost of the update, 784-200-40-10, 1 thread",
                {"optimizer", "multiplications: paper", "here", "ns per weight and step"},
                {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weights = static_cast<double>(network.parameters());
    series.rows.push_back({rows[i].name, rows[i].paper, rows[i].ours,
                           fmt::format("{:.3f}", turns.time(i).median / (steps * weights) * 1e9)});
  }
  return series;
}

}  // namespace coppice
