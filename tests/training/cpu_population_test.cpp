#include "coppice/training/cpu_population.h"

#include "tests/training/problems.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TrainingOptions quick() {
  TrainingOptions options;
  options.batch_size = 25;
  options.patience = 4;
  options.fine_patience = 1;
  options.start_units = 5;
  options.add_units = 1.5;
  return options;
}

struct Problem {
  Dataset train = xor_dataset(150, 1);
  Dataset validation = xor_dataset(80, 2);

  std::vector<NetData> data() const { return std::vector<NetData>(5, net_data(train, validation, 2)); }
  std::vector<NetRun> start(const Trainer& trainer) const { return start(trainer, data()); }
  static std::vector<NetRun> start(const Trainer& trainer, const std::vector<NetData>& nets) {
    std::vector<NetRun> runs;
    for (std::size_t i = 0; i < 5; ++i) {
      runs.push_back(trainer.start(i, i % 2 == 0 ? 1e-3 : 1e-2, 10 + i / 2, nets[i]));
    }
    return runs;
  }
};

void expect_same(const std::vector<NetRun>& a, const std::vector<NetRun>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(a[i].current == b[i].current) << "net " << i;
    EXPECT_TRUE(a[i].kept == b[i].kept) << "net " << i;
    EXPECT_EQ(a[i].epoch, b[i].epoch);
    EXPECT_EQ(a[i].steps, b[i].steps);
    EXPECT_EQ(a[i].next_unit, b[i].next_unit);
    EXPECT_EQ(a[i].protocol.phase(), b[i].protocol.phase());
  }
}

std::vector<NetRun> trained(std::size_t threads) {
  const Problem problem;
  ThreadPool pool(threads);
  const Trainer trainer(pool, quick());
  CpuPopulation population(pool, trainer, problem.data(), problem.start(trainer));
  Recorder recorder;
  population.train(recorder, never);
  for (const NetRun& run : population.runs()) EXPECT_EQ(run.protocol.phase(), Phase::done);
  return population.runs();
}

const std::vector<NetRun>& expected_runs() {
  static const std::vector<NetRun> runs = trained(1);
  return runs;
}

TEST(Population, IsTheSameForAnyNumberOfThreads) {
  for (const std::size_t threads : {2U, 5U}) expect_same(trained(threads), expected_runs());
}

/// Notes which nets were half trained whenever one ended.
struct HalfTrained final : NetObserver {
  void on_epoch(const NetRun& run, const EpochReport&) override {
    if (run.running()) begun.insert(run.id);
    if (run.running() || begun.erase(run.id) == 0) return;
    most = std::max(most, begun.size());
  }
  std::set<std::size_t> begun;
  std::size_t most = 0;
};

TEST(Population, NetsTrainedOneByOneLeaveFewHalfTrained) {
  const Problem problem;
  for (const std::size_t threads : {1U, 2U}) {
    ThreadPool pool(threads);
    const Trainer trainer(pool, quick());
    CpuPopulation population(pool, trainer, problem.data(), problem.start(trainer), NetOrder::one_by_one);
    HalfTrained watch;
    population.train(watch, never);
    EXPECT_LT(watch.most, threads + 1);
    expect_same(population.runs(), expected_runs());
  }
}

TEST(Population, InterruptedAtRandomMomentsAndContinuedIsTheSame) {
  const Problem problem;
  for (const std::size_t threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    const Trainer trainer(pool, quick());
    std::vector<NetRun> runs = problem.start(trainer);
    Random random(threads, Purpose::generator);
    const auto running = [](const NetRun& run) { return run.running(); };
    int rounds = 0;
    for (; std::ranges::any_of(runs, running) && rounds < 1000; ++rounds) {
      // A new population each time: only what is in the runs survives.
      CpuPopulation population(pool, trainer, problem.data(), runs);
      std::atomic<int> left = static_cast<int>(random.below(400));
      Recorder recorder;
      population.train(recorder, [&] { return --left < 0; });
      runs = population.runs();
    }
    EXPECT_GT(rounds, 3);
    expect_same(runs, expected_runs());
  }
}

TEST(Population, TheSamePopulationMayBeTrainedOn) {
  const Problem problem;
  ThreadPool pool(2);
  const Trainer trainer(pool, quick());
  CpuPopulation population(pool, trainer, problem.data(), problem.start(trainer));
  Recorder recorder;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> left = 60;
    population.train(recorder, [&] { return --left < 0; });
  }
  population.train(recorder, never);
  expect_same(population.runs(), expected_runs());
}

/// Counts epochs per net and how many calls are going on at once.
class Watcher final : public NetObserver {
 public:
  void on_epoch(const NetRun& run, const EpochReport& report) override {
    EXPECT_EQ(++inside, 1);
    EXPECT_EQ(report.net, run.id);
    EXPECT_EQ(report.epoch, run.epoch);
    EXPECT_EQ(run.epoch, ++epochs[run.id]);
    std::size_t lowest = epochs[0];
    for (const std::size_t count : epochs) lowest = std::min(lowest, count);
    farthest_ahead = std::max(farthest_ahead, run.epoch - lowest);
    --inside;
  }
  std::atomic<int> inside = 0;
  std::vector<std::size_t> epochs = std::vector<std::size_t>(5);
  std::size_t farthest_ahead = 0;
};

TEST(Population, ObserversAreCalledOneAtATimeAndNoNetRunsAhead) {
  const Problem problem;
  for (const std::size_t threads : {1U, 4U}) {
    ThreadPool pool(threads);
    TrainingOptions options = quick();
    options.max_epochs = 40;
    options.patience = 1000;
    const Trainer trainer(pool, options);
    CpuPopulation population(pool, trainer, problem.data(), problem.start(trainer));
    Watcher watcher;
    population.train(watcher, never);
    EXPECT_EQ(watcher.epochs, std::vector<std::size_t>(5, 40));
    if (threads == 1) {  // with more, the operating system may hold one of them up
      EXPECT_EQ(watcher.farthest_ahead, 1U);
    }
  }
}

TEST(Population, ANetThatFailsDoesNotDisturbTheOthers) {
  Problem problem;
  problem.train.inputs.add_rows(1);
  problem.train.labels.push_back(1);
  problem.train.inputs(150, 0) = std::numeric_limits<float>::infinity();
  std::vector<NetData> data = problem.data();
  for (NetData& net : data) net.train_rows.resize(150);
  data[2].train_rows.back() = 150;
  for (const std::size_t threads : {1U, 3U}) {
    ThreadPool pool(threads);
    const Trainer trainer(pool, quick());
    CpuPopulation population(pool, trainer, data, Problem::start(trainer, data));
    Recorder recorder;
    population.train(recorder, never);
    for (std::size_t i = 0; i < 5; ++i) {
      const NetRun& run = population.runs()[i];
      if (i == 2) {
        EXPECT_EQ(run.protocol.phase(), Phase::failed);
        EXPECT_EQ(run.epoch, 1U);
        EXPECT_EQ(run.kept.network, Problem::start(trainer, data)[2].kept.network);
        continue;
      }
      EXPECT_TRUE(run.current == expected_runs()[i].current) << "net " << i;
    }
  }
}

class Thrower final : public NetObserver {
 public:
  void on_epoch(const NetRun&, const EpochReport&) override {
    if (++calls == 3) throw std::runtime_error("disk full");
  }
  int calls = 0;
};

TEST(Population, AnObserverThatThrowsEndsTheTrainingSoon) {
  const Problem problem;
  for (const std::size_t threads : {1U, 4U}) {
    ThreadPool pool(threads);
    TrainingOptions options = quick();
    options.patience = 1000;
    options.max_epochs = 200;
    const Trainer trainer(pool, options);
    CpuPopulation population(pool, trainer, problem.data(), problem.start(trainer));
    Thrower thrower;
    const auto slowly = [] {  // so that every thread gets a net
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      return false;
    };
    EXPECT_THROW(population.train(thrower, slowly), std::runtime_error);
    EXPECT_LT(thrower.calls, 20);
    std::vector<std::size_t> seen;
    for (const NetRun& run : population.runs()) seen.push_back(run.epoch);
    Recorder recorder;  // and it can go on
    std::atomic<int> left = 100;
    population.train(recorder, [&] { return --left < 0; });
    EXPECT_GT(recorder.reports.size(), 3U);
    for (const EpochReport& report : recorder.reports)
      EXPECT_EQ(report.epoch, ++seen.at(report.net)) << "an epoch was trained twice or left out";
  }
}

}  // namespace
}  // namespace coppice
