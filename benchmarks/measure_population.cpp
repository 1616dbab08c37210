#include "coppice/training/cpu_population.h"
#include "coppice/training/units.h"

#include "benchmarks/measures.h"
#include "benchmarks/workload.h"

#include <fmt/format.h>

namespace coppice {

namespace {

class Nobody final : public NetObserver {
 public:
  void on_epoch(const NetRun&, const EpochReport&) override {}
};

bool never() {
  return false;
}

/// Trains nets 0 to count - 1, side by side, for two epochs each, validation included.
void train_side_by_side(ThreadPool& pool, const Workload& work, const NetData& data, std::size_t first,
                        std::size_t count) {
  TrainingOptions options = training_options(work);
  options.max_epochs = 2;
  const Trainer trainer(pool, options);
  std::vector<NetRun> runs;
  for (std::size_t i = 0; i < count; ++i) runs.push_back(start_run(trainer, work, data, first + i));
  CpuPopulation population(pool, trainer, std::vector(count, data), std::move(runs));
  Nobody nobody;
  population.train(nobody, never);
}

}  // namespace

Figure population_figure(const Plan& plan) {
  const Workload work = mnist_net();
  const Dataset rows = noise(work);
  const NetData data = net_data(work, rows);
  ThreadPool two(2);
  ThreadPool one(1);
  const Turns turns({[&] { train_side_by_side(two, work, data, 0, 2); },
                     [&] {
                       train_side_by_side(one, work, data, 0, 1);
                       train_side_by_side(one, work, data, 1, 1);
                     }},
                    plan.rounds);
  return {"population_speedup", turns.ratio(1, 0), 1.85, 1.95, false};
}

Figure resize_figure(const Plan& plan) {
  // The paper's poker settings, under which units come and go ten times as often as on MNIST.
  const Workload work = mnist_net();
  const Dataset rows = noise(work);
  const NetData data = net_data(work, rows);
  ThreadPool pool(plan.threads);
  TrainingOptions options = training_options(work);
  options.additions_per_epoch = 10;
  options.unit_lifetime = 5;
  const Trainer trainer(pool, options);
  const auto optimizer = make_optimizer(options);
  NetRun run = start_run(trainer, work, data);
  NetRun replay = run;
  Workspace<float> workspace;
  std::vector<double> shares;
  for (std::size_t epoch = 0; epoch < plan.rounds; ++epoch) {
    EpochReport report;
    const double whole = seconds([&] { trainer.train_steps(run, data, workspace, {}, report); });
    EpochReport again;
    const double resizing = seconds([&] {
      for (std::size_t i = 0; i < 10; ++i) grow(replay, options, i, again);
      for (const UnitEvent& event : report.died) {
        DeadUnits dead(work.hidden().size());
        dead[event.layer].push_back(replay.current.network.layers[event.layer].units.size() / 2);
        bury(pool, replay, dead, *optimizer, again);
      }
    });
    shares.push_back(resizing / whole);
  }
  return {"resize_share", spread_of(shares), 0.01, 0.01};
}

Series nets_series(const Plan& plan) {
  const Workload work = mnist_net();
  const Dataset rows = noise(work);
  const NetData data = net_data(work, rows);
  ThreadPool pool(plan.threads);
  Series series{fmt::format("nets side by side, 784-200-40-10, {} threads", plan.threads),
                {"nets", "s per epoch of all", "s per net"},
                {}};
  for (const std::size_t nets : {1, 2, 4, 8}) {
    const Turns turns({[&] { train_side_by_side(pool, work, data, 0, nets); }}, 3);
    const double time = turns.time(0).median / 2;
    series.rows.push_back({std::to_string(nets), fmt::format("{:.3f}", time),
                           fmt::format("{:.3f}", time / static_cast<double>(nets))});
  }
  return series;
}

}  // namespace coppice
