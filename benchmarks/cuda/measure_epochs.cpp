#include "coppice/training/cuda_population.h"

#include "benchmarks/cuda/measure.h"

#include <chrono>

namespace coppice {

namespace {

/// Remembers when the first net's epochs were reported.
class Clock final : public NetObserver {
 public:
  void on_epoch(const NetRun& run, const EpochReport&) override {
    if (run.id == 0) moments.push_back(std::chrono::steady_clock::now());
  }
  bool reads_weights(const NetRun&) const override { return false; }
  std::vector<std::chrono::steady_clock::time_point> moments;
};

}  // namespace

Spread epoch_time(const Workload& work, std::size_t nets, Precision precision, double additions_per_epoch,
                  std::size_t epochs) {
  constexpr std::size_t warm_up = 5;
  const Dataset rows = noise(work);
  const NetData data = net_data(work, rows);
  ThreadPool pool(std::max(1U, std::thread::hardware_concurrency()));
  TrainingOptions options = training_options(work);
  options.precision = precision;
  options.additions_per_epoch = additions_per_epoch;
  options.max_epochs = warm_up + epochs + 1;
  const Trainer trainer(pool, options);
  std::vector<NetRun> runs;
  for (std::size_t id = 0; id < nets; ++id) {
    runs.push_back(start_run(trainer, work, data, id));
    runs.back().kept = runs.back().current;
  }
  const auto population = make_cuda_population(pool, trainer, std::vector(nets, data), std::move(runs));
  Clock clock;
  population->train(clock, [] { return false; });
  std::vector<double> times;
  // The last epoch is reported with none after it.
  for (std::size_t i = warm_up; i + 2 < clock.moments.size(); ++i) {
    times.push_back(std::chrono::duration<double>(clock.moments[i + 1] - clock.moments[i]).count());
  }
  return spread_of(times);
}

}  // namespace coppice
